import { newSessionId, type Clock } from '@deepseek-ai/dsh-session';

/** UUIDs that sort by time; where `random` is given, that and the clock decide them. */
export function idSource(clock: Clock, random: (() => number) | undefined): () => string {
  if (random === undefined) return () => newSessionId();
  return () => {
    const digits = Array.from({ length: 18 }, () => Math.floor(random() * 16).toString(16)).join('');
    const time = clock.now().toString(16).padStart(12, '0').slice(-12);
    const rest = `7${digits.slice(0, 3)}-8${digits.slice(3, 6)}-${digits.slice(6, 18)}`;
    return `${time.slice(0, 8)}-${time.slice(8)}-${rest}`;
  };
}
