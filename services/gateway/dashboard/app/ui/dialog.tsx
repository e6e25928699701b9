import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { t } from '../i18n/translate.ts';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import { IconButton } from './icon-button.tsx';
import styles from './dialog.module.css';
import { X } from './icons/index.ts';

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

/** Asks before something that cannot be undone. */
export function ConfirmDialog(props: {
  title: string;
  /** A verb. */
  confirm: string;
  onConfirm: () => void;
  onClose: () => void;
  pending?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <Dialog title={props.title} role="alertdialog" onClose={props.onClose}>
      {props.children}
      <DialogActions>
        <Button onPress={props.onClose}>{t('Cancel')}</Button>
        <Button variant="danger" busy={props.pending} onPress={props.onConfirm}>
          {props.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
