import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { dialogClosed, dialogOpened } from './open-dialogs.ts';

/** A modal dialog; Escape and the close button end it. Shown as long as it is rendered. */
export function Dialog(props: {
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** `alertdialog` demands an answer. */
  role?: 'dialog' | 'alertdialog';
}): ReactNode {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  // Closed before it is removed: only then the browser returns the focus to where it was.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    element.showModal();
    dialogOpened(element);
    element.querySelector<HTMLElement>('input:not([type=hidden]), select, textarea')?.focus();
    return () => {
      dialogClosed(element);
      element.close();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      role={props.role}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
    >
      <div className="dialog-head">
        <h2 id={id}>{props.title}</h2>
        <button type="button" className="plain" aria-label="Close" onClick={props.onClose}>
          ×
        </button>
      </div>
      {props.children}
    </dialog>
  );
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog(props: {
  title: string;
  confirm: string;
  onConfirm: () => void;
  onClose: () => void;
  pending?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <Dialog title={props.title} role="alertdialog" onClose={props.onClose}>
      {props.children}
      <div className="actions">
        <button type="button" className="danger" disabled={props.pending} onClick={props.onConfirm}>
          {props.confirm}
        </button>
        <button type="button" className="quiet" onClick={props.onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}
