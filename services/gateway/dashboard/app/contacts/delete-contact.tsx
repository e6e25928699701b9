import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { api, at, ok } from '../api/client.ts';
import type { Contact } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { contactTitle } from './contact-fields.ts';
import { contactChanged } from './contact-queries.ts';

export default function DeleteDialog({ contact, onClose }: { contact: Contact; onClose: () => void }): ReactNode {
  const [, navigate] = useLocation();
  const name = contactTitle(contact);
  const deletion = useMutation({
    mutationFn: () => ok(api.DELETE('/api/v1/contacts/{id}', at(contact.id))),
    onSuccess: () => {
      announce(t('{name} was deleted.', { name }));
      contactChanged(contact);
      navigate('~/dashboard/contacts');
    },
  });
  return (
    <ConfirmDialog
      title={t('Delete {name}?', { name })}
      confirm={t('Delete contact')}
      action={deletion}
      onClose={onClose}
    >
      <p>{t('Calls and texts stay, under the phone number.')}</p>
    </ConfirmDialog>
  );
}
