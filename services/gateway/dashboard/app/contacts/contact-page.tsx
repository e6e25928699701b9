import { Fragment, type ReactNode, useMemo, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { api, at, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { Contact, InboxItem } from '../api/schema.d.ts';
import { dayHeading, dayKey } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { ActivityItem } from '../inbox/activity-item.tsx';
import { useActivity } from '../inbox/activity-queries.ts';
import { CallButton, useCallTo } from '../phone/call-button.tsx';
import { announce } from '../ui/announcements.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { DeleteButton } from '../ui/delete-button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { MessageSquare, MessagesSquare } from '../ui/icons/index.ts';
import { LoadMore } from '../ui/load-more.tsx';
import { Page, PageHeading } from '../ui/page.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { useShortcut } from '../ui/shortcuts.ts';
import { Time } from '../ui/time.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { changesIn, type ContactBody, contactTitle, typedFrom } from './contact-fields.ts';
import { ContactForm } from './contact-form.tsx';
import styles from './contact-page.module.css';
import { contactChanged, useContact } from './contact-queries.ts';

export default function ContactPage({ id }: { id: string }): ReactNode {
  const contact = useContact(id);
  return (
    <QueryState query={contact} titleOfFailure={t('Contact')}>
      {(data) => <Person contact={data} />}
    </QueryState>
  );
}

function Person({ contact }: { contact: Contact }): ReactNode {
  const { phone } = contact;
  const [, navigate] = useLocation();
  const call = useCallTo(phone);
  const thread = `~/dashboard/inbox/${encodeURIComponent(phone)}`;
  useShortcut('c', call);
  useShortcut('t', () => navigate(thread));
  return (
    <Page
      title={contactTitle(contact)}
      titleBelow
      back={{ href: '~/dashboard/contacts', label: t('Contacts') }}
      actions={<DeleteContact contact={contact} />}
      aside={
        <div className={styles['details']}>
          <section aria-label={t('Contact')}>
            <h2 className={styles['heading']}>{t('Details')}</h2>
            <EditContact contact={contact} />
          </section>
          <p className={styles['dates']}>
            {t('In your contacts since')} <Time at={contact.created_at} withTime /> · {t('changed')}{' '}
            <Time at={contact.updated_at} withTime />
          </p>
        </div>
      }
    >
      <div className={styles['head']}>
        <Avatar id={contact.id} name={contact.name?.trim() || contact.company_name?.trim() || undefined} size={48} />
        <div className={styles['who']}>
          <PageHeading title={contactTitle(contact)} className={styles['name']} />
          <p className={styles['sub']}>
            <PhoneNumber value={phone} />
            {contact.name && contact.company_name && (
              <>
                {' '}
                · <bdi>{contact.company_name}</bdi>
              </>
            )}
          </p>
        </div>
        <div className={styles['actions']}>
          <ButtonLink href={thread} icon={MessageSquare}>
            {t('Text')}
          </ButtonLink>
          <CallButton phoneNumber={phone} variant="primary" />
        </div>
      </div>
      <PersonTimeline phoneNumber={phone} />
    </Page>
  );
}

function EditContact({ contact }: { contact: Contact }): ReactNode {
  // The initial values of the form: a change by a coworker does not replace what is being typed.
  const [loaded, setLoaded] = useState(() => typedFrom(contact));
  const sending = useSubmit(
    (body: ContactBody) => ok(api.PATCH('/api/v1/contacts/{id}', { ...at(contact.id), body })),
    (saved) => {
      setLoaded(typedFrom(saved));
      contactChanged(contact);
      queryClient.setQueryData(queryKeys.contact(contact.id), saved);
      announce(t('Contact saved.'));
    },
    { storeEditsAs: `contact ${contact.id}`, shownAs: typedFrom },
  );
  return (
    <ContactForm
      initial={loaded}
      sending={sending}
      onSubmit={(typed) => sending.submit(changesIn(typed, loaded))}
      submitLabel={t('Save')}
    />
  );
}

function DeleteContact({ contact }: { contact: Contact }): ReactNode {
  return (
    <DeleteButton
      name={contactTitle(contact)}
      confirm={t('Delete contact')}
      action={() => ok(api.DELETE('/api/v1/contacts/{id}', at(contact.id)))}
      leadsTo="~/dashboard/contacts"
      onDeleted={() => contactChanged(contact)}
    >
      {t('Calls and texts stay, under the phone number.')}
    </DeleteButton>
  );
}

/** More than these, and the browser leaves out what is not in view. */
const LONG = 200;

/** Calls, voicemails and texts with a person, the newest first. */
function PersonTimeline({ phoneNumber }: { phoneNumber: string }): ReactNode {
  const { query, loadMore } = useActivity(phoneNumber);
  return (
    <section aria-label={t('Activity')}>
      <div className={styles['timeline-head']}>
        <h2>{t('Everything with this person')}</h2>
        <Link
          className={styles['link']}
          href={`~/dashboard/calls?${new URLSearchParams({ phone_number: phoneNumber })}`}
        >
          {t('Only calls')}
        </Link>
      </div>
      <QueryState query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={MessagesSquare} title={t('No calls or texts with this number yet.')} />
          ) : (
            <Items items={items} phoneNumber={phoneNumber} />
          )
        }
      </QueryState>
      <LoadMore {...loadMore} />
    </section>
  );
}

function Items({ items, phoneNumber }: { items: readonly InboxItem[]; phoneNumber: string }): ReactNode {
  const withVoicemail = useMemo(
    () => new Set(items.flatMap((item) => (item.type === 'voicemail' ? [item.call_id] : []))),
    [items],
  );
  return (
    <ol className={classes(styles['items'], items.length > LONG && styles['long'])}>
      {items.map((item, index) => (
        <Fragment key={item.id}>
          <Day item={item} previous={items[index - 1]} />
          <ActivityItem item={item} phoneNumber={phoneNumber} leftVoicemail={withVoicemail.has(item.id)} />
        </Fragment>
      ))}
    </ol>
  );
}

function Day({ item, previous }: { item: InboxItem; previous: InboxItem | undefined }): ReactNode {
  const at = new Date(item.created_at);
  if (previous && dayKey(new Date(previous.created_at)) === dayKey(at)) return null;
  return <li className={styles['day']}>{dayHeading(at)}</li>;
}
