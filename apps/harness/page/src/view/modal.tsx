/** A dialog within the page. Escape and its buttons close it, and the focus goes back to where it was. */
import { useEffect, useRef, type JSX, type ReactNode } from 'react';

interface ModalProps {
  readonly title: ReactNode;
  readonly close: () => void;
  readonly children: ReactNode;
}

export function Modal({ title, close, children }: ModalProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = dialog;
    const before = document.activeElement;
    current?.showModal();
    return () => {
      current?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}
