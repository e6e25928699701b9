import { type ReactNode, useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { ApiError } from '../api/api-error.ts';
import { NotFound } from '../ui/not-found.tsx';
import { Page } from '../ui/page.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { ActivityLog } from './activity-log.tsx';
import { type Activity, useActivity } from './activity-queries.ts';
import { contactName } from './activity-texts.ts';
import { CallerContextPanel } from './caller-context-panel.tsx';
import { Composer } from './composer.tsx';
import { decodePath } from './thread-path.ts';

/** Calls, voicemails and texts with one phone number. */
export function ThreadPage({ path }: { path: string }): ReactNode {
  const asked = decodePath(path);
  const { query, loadMore } = useActivity(asked);
  const [, navigate] = useLocation();
  const normalised = query.data?.phoneNumber;
  const isOtherNotation = normalised !== undefined && normalised !== asked;
  useEffect(() => {
    if (isOtherNotation) navigate(`/${encodeURIComponent(normalised)}`, { replace: true });
  }, [isOtherNotation, normalised, navigate]);

  // Not a phone number.
  if (query.error instanceof ApiError && [404, 422].includes(query.error.status) && !query.data) return <NotFound />;
  if (isOtherNotation) return null;
  const contact = query.data?.contact ?? null;
  const name = contactName(contact);
  return (
    <Page title={name ?? normalised ?? asked} actions={normalised !== undefined && <ContactLink {...query.data!} />}>
      <div className="thread">
        <div className="thread-main">
          {name !== undefined && <p className="thread-number soft">{contact?.phone_formatted}</p>}
          <QueryState query={query} what="activity">
            {(activity) => (
              <>
                <ActivityLog activity={activity} loadMore={loadMore} />
                <Composer phoneNumber={activity.phoneNumber} latestItem={activity.items[0]} />
              </>
            )}
          </QueryState>
        </div>
        {normalised !== undefined && <CallerContextPanel phoneNumber={normalised} contact={contact} />}
      </div>
    </Page>
  );
}

function ContactLink({ contact, phoneNumber }: Activity): ReactNode {
  if (contact) return <Link href={`~/dashboard/contacts/${encodeURIComponent(contact.id)}`}>Open contact</Link>;
  return (
    <Link className="button quiet" href={`~/dashboard/contacts/new?${new URLSearchParams({ phone: phoneNumber })}`}>
      New contact
    </Link>
  );
}
