/** A listener whose failure has nowhere to go: what it throws is dropped. Without one, nobody hears. */
export function contained<T>(listener: ((told: T) => void) | undefined): (told: T) => void {
  return (told) => {
    try {
      listener?.(told);
    } catch {
      return;
    }
  };
}
