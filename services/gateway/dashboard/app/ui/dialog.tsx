import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { t } from '../i18n/translate.ts';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import { Form, type FormProps } from './form.tsx';
import { IconButton } from './icon-button.tsx';
import styles from './dialog.module.css';
import { X } from './icons/index.ts';
import { Failure } from './query-state.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** `alertdialog` demands an answer. */
  readonly role?: 'dialog' | 'alertdialog';
}

/** A modal dialog for a decision; Escape and the close button end it. Shown as long as it is rendered. */
export function Dialog(props: DialogProps & { size?: 'm' | 'l' }): ReactNode {
  return <Overlay {...props} shape={classes(styles['dialog'], styles[props.size ?? 'm'])} />;
}

/** Further details of a page, from the right, or from below on a phone. */
export function Sheet(props: DialogProps): ReactNode {
  return <Overlay {...props} shape={styles['sheet']!} />;
}

function Overlay({ title, onClose, role = 'dialog', shape, children }: DialogProps & { shape: string }): ReactNode {
  return (
    <ModalOverlay
      isOpen
      isDismissable={role === 'dialog'}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
      className={styles['scrim']!}
    >
      <Modal className={shape}>
        <AriaDialog role={role} className={styles['content']!}>
          <div className={styles['head']}>
            <Heading slot="title" className={styles['title']!}>
              {title}
            </Heading>
            <IconButton label={t('Close')} icon={X} onPress={onClose} />
          </div>
          <div className={styles['body']}>{children}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The buttons at the end of a dialog. */
export function DialogActions({ children }: { children: ReactNode }): ReactNode {
  return <div className={styles['actions']}>{children}</div>;
}

/** A dialog with one form. *Cancel* closes it and forgets what was typed. */
export function FormDialog<Input>(
  props: FormProps<Input> & { title: string; size?: 'm' | 'l'; onClose: () => void },
): ReactNode {
  const { title, size, onClose, ...form } = props;
  function cancel(): void {
    form.sending.unsaved.discard();
    onClose();
  }
  return (
    <Dialog title={title} size={size ?? 'm'} onClose={onClose}>
      <Form
        {...form}
        actions={(submit) => (
          <DialogActions>
            <Button onPress={cancel}>{t('Cancel')}</Button>
            {submit}
          </DialogActions>
        )}
      />
    </Dialog>
  );
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog(props: {
  title: string;
  /** A verb. */
  confirm: string;
  /** A mutation that needs no input. */
  action: { readonly mutate: () => void; readonly isPending: boolean; readonly error: Error | null };
  onClose: () => void;
  children: ReactNode;
}): ReactNode {
  const { action } = props;
  return (
    <Dialog title={props.title} role="alertdialog" onClose={props.onClose}>
      {action.error && <Failure error={action.error} />}
      {props.children}
      <DialogActions>
        <Button onPress={props.onClose}>{t('Cancel')}</Button>
        <Button variant="danger" busy={action.isPending} onPress={() => action.mutate()}>
          {props.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
