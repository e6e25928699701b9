import { useState, type ReactNode } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { api, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { announce } from '../ui/announcements.tsx';
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
      announce(`${contactTitle(contact)} is a contact now.`);
      navigate(`/${contact.id}`);
    },
    { keepAs: `new contact ${initial.phone}` },
  );
  return (
    <Page title="New contact">
      <section aria-label="New contact">
        <ContactForm
          initial={initial}
          sending={sending}
          onSubmit={sending.submit}
          submitLabel="Create contact"
          autoFocus
        >
          <Link href="~/dashboard/contacts" className="button quiet" onClick={sending.unsaved.discard}>
            Cancel
          </Link>
        </ContactForm>
      </section>
    </Page>
  );
}
