import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { t } from '../i18n/translate.ts';
import { announce } from './announcements.tsx';
import { ConfirmDialog } from './dialog.tsx';

export interface Deletion {
  /** Of what is deleted. */
  readonly name: string;
  /** What is about to be done, such as "Delete webhook". */
  readonly confirm: string;
  readonly action: () => Promise<unknown>;
  /** The page that is shown then. */
  readonly leadsTo: string;
  readonly onDeleted: () => void;
  /** In place of the question once it was refused; undefined for what the question can show itself. */
  readonly refusal?: (error: Error, onClose: () => void) => ReactNode;
  /** What is lost. */
  readonly children: ReactNode;
}

export default function DeleteDialog(props: Deletion & { onClose: () => void }): ReactNode {
  const { name, action, leadsTo, onDeleted, onClose } = props;
  const [, navigate] = useLocation();
  const deletion = useMutation({
    mutationFn: action,
    onSuccess: () => {
      navigate(leadsTo);
      announce(t('{name} was deleted.', { name }));
      onDeleted();
    },
  });
  const refusal = deletion.error && props.refusal?.(deletion.error, onClose);
  if (refusal) return refusal;
  return (
    <ConfirmDialog title={t('Delete {name}?', { name })} confirm={props.confirm} action={deletion} onClose={onClose}>
      <p>{props.children}</p>
    </ConfirmDialog>
  );
}
