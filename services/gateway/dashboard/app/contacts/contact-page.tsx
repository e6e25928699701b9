import { useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { api, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { Contact } from '../api/schema.d.ts';
import { announce } from '../ui/announcements.tsx';
import { ConfirmDialog } from '../ui/dialog.tsx';
import { Page } from '../ui/page.tsx';
import { Failure, QueryState } from '../ui/query-state.tsx';
import { Time } from '../ui/time.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { changesIn, type ContactBody, contactTitle, typedFrom } from './contact-fields.ts';
import { ContactForm } from './contact-form.tsx';
import { contactChanged, useContact } from './contact-queries.ts';

export function ContactPage({ id }: { id: string }): ReactNode {
  const contact = useContact(id);
  return (
    <QueryState query={contact} what="contact" titleOfFailure="Contact">
      {(data) => (
        <Page title={contactTitle(data)} actions={<DeleteContact contact={data} />}>
          <section aria-label="Contact">
            <EditContact contact={data} />
          </section>
          <section aria-label="Activity">
            <ul className="list">
              <li>
                <Link href={`~/dashboard/inbox/${encodeURIComponent(data.phone)}`}>Calls and texts in the inbox</Link>
              </li>
              <li>
                <Link href={`~/dashboard/calls?${new URLSearchParams({ phone_number: data.phone })}`}>
                  Calls with {data.phone_formatted}
                </Link>
              </li>
            </ul>
            <p className="soft">
              Created <Time at={data.created_at} withTime />, last changed <Time at={data.updated_at} withTime />.
            </p>
          </section>
        </Page>
      )}
    </QueryState>
  );
}

function EditContact({ contact }: { contact: Contact }): ReactNode {
  // What the form began with: a change by a coworker does not replace what is being typed.
  const [loaded, setLoaded] = useState(() => typedFrom(contact));
  const params = { path: { id: contact.id } };
  const sending = useSubmit(
    (body: ContactBody) => ok(api.PATCH('/api/v1/contacts/{id}', { params, body })),
    (saved) => {
      setLoaded(typedFrom(saved));
      contactChanged(contact);
      queryClient.setQueryData(queryKeys.contact(contact.id), saved);
      announce('Contact saved.');
    },
    { keepAs: `contact ${contact.id}`, shownAs: typedFrom },
  );
  return (
    <ContactForm
      initial={loaded}
      sending={sending}
      onSubmit={(typed) => sending.submit(changesIn(typed, loaded))}
      submitLabel="Save"
    />
  );
}

function DeleteContact({ contact }: { contact: Contact }): ReactNode {
  const [asking, setAsking] = useState(false);
  const [, navigate] = useLocation();
  const params = { path: { id: contact.id } };
  const deletion = useSubmit<void, unknown>(
    () => ok(api.DELETE('/api/v1/contacts/{id}', { params })),
    () => {
      announce(`${contactTitle(contact)} was deleted.`);
      contactChanged(contact);
      navigate('~/dashboard/contacts');
    },
  );
  return (
    <>
      <button type="button" className="danger" onClick={() => setAsking(true)}>
        Delete
      </button>
      {asking && (
        <ConfirmDialog
          title={`Delete ${contactTitle(contact)}?`}
          confirm="Delete"
          pending={deletion.pending}
          onConfirm={() => deletion.submit()}
          onClose={() => setAsking(false)}
        >
          {deletion.error && <Failure error={deletion.error} />}
          <p>Calls and texts stay, under the phone number.</p>
        </ConfirmDialog>
      )}
    </>
  );
}
