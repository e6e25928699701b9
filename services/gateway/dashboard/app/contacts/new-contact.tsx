import { useState, type ReactNode } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { api, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { changesIn, contactTitle, NO_CONTACT, type TypedContact } from './contact-fields.ts';
import { ContactForm } from './contact-form.tsx';
import { contactChanged } from './contact-queries.ts';

/** `?phone=` fills in the number: the inbox links here for a person who is no contact yet. */
export function NewContact(): ReactNode {
  const [params] = useSearchParams();
  const [initial] = useState<TypedContact>({ ...NO_CONTACT, phone: params.get('phone') ?? '' });
  const [, navigate] = useLocation();
  const sending = useSubmit(
    (typed: TypedContact) =>
      ok(api.POST('/api/v1/contacts', { body: { ...changesIn(typed, NO_CONTACT), phone: typed.phone } })),
    (contact) => {
      queryClient.setQueryData(queryKeys.contact(contact.id), contact);
      contactChanged(contact);
      announce(t('{name} is a contact now.', { name: contactTitle(contact) }));
      navigate(`/${contact.id}`);
    },
    { storeEditsAs: `new contact ${initial.phone}` },
  );
  function cancel(): void {
    sending.unsaved.discard();
    navigate('~/dashboard/contacts');
  }
  return (
    <Page title={t('New contact')} back={{ href: '~/dashboard/contacts', label: t('Contacts') }} width="text">
      <section aria-label={t('New contact')}>
        <ContactForm
          initial={initial}
          sending={sending}
          onSubmit={sending.submit}
          submitLabel={t('Create contact')}
          isMain
          autoFocus
        >
          <Button onPress={cancel}>{t('Cancel')}</Button>
        </ContactForm>
      </section>
    </Page>
  );
}
