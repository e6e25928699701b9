import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { ApiError } from '../api/api-error.ts';
import { t } from '../i18n/translate.ts';
import { CallButton, useCallTo } from '../phone/call-button.tsx';
import { IconButton, IconLink } from '../ui/icon-button.tsx';
import { ChevronLeft, PanelRight, UserPen, UserPlus } from '../ui/icons/index.ts';
import { NotFound } from '../ui/not-found.tsx';
import { PageHeading } from '../ui/page.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { useShortcut } from '../ui/shortcuts.ts';
import { SkeletonRows } from '../ui/skeleton.tsx';
import text from '../ui/text.module.css';
import { ActivityLog } from './activity-log.tsx';
import { type Activity, useActivity } from './activity-queries.ts';
import { contactName } from './activity-texts.ts';
import { Composer } from './composer.tsx';
import styles from './conversation.module.css';
import { PersonPane } from './person-pane.tsx';
import { ThreadHandling } from './thread-handling.tsx';
import { decodePath } from './thread-path.ts';

/** Its code is loaded when it is opened. */
const PersonSheet = lazy(() => import('./person-sheet.tsx'));

/** Calls, voicemails and texts with one phone number, and who that is. */
export function Conversation({ path }: { path: string }): ReactNode {
  const asked = decodePath(path);
  const { query, loadMore } = useActivity(asked);
  const [, navigate] = useLocation();
  const [showsPerson, setShowsPerson] = useState(false);
  const normalised = query.data?.phoneNumber;
  const isOtherNotation = normalised !== undefined && normalised !== asked;
  useEffect(() => {
    if (isOtherNotation) navigate(`/${encodeURIComponent(normalised)}`, { replace: true });
  }, [isOtherNotation, normalised, navigate]);
  useShortcut('t', () => document.querySelector<HTMLElement>('[data-composer]')?.focus());

  // Not a phone number.
  if (query.error instanceof ApiError && [404, 422].includes(query.error.status) && !query.data) return <NotFound />;
  if (isOtherNotation) return null;
  return (
    <div className={styles['panes']}>
      <div className={styles['conversation']}>
        <Head asked={asked} activity={query.data} onPerson={() => setShowsPerson(true)} />
        <QueryState query={query} skeleton={<SkeletonRows what={t('Loading…')} rows={4} />}>
          {(activity) => (
            <>
              <ThreadHandling phoneNumber={activity.phoneNumber} />
              <ActivityLog activity={activity} loadMore={loadMore} />
              <Composer phoneNumber={activity.phoneNumber} latestNumberId={latestNumberOf(activity)} />
            </>
          )}
        </QueryState>
      </div>
      {query.data && (
        <div className={styles['person']}>
          <PersonPane activity={query.data} />
        </div>
      )}
      <Suspense fallback={null}>
        {showsPerson && query.data && <PersonSheet activity={query.data} onClose={() => setShowsPerson(false)} />}
      </Suspense>
    </div>
  );
}

/** The business number of the newest item that has one. */
function latestNumberOf({ items }: Activity): string | undefined {
  return items.find((item) => item.type !== 'comment')?.business_number_id;
}

function Head(props: { asked: string; activity: Activity | undefined; onPerson: () => void }): ReactNode {
  const { asked, activity } = props;
  const name = contactName(activity?.contact ?? null);
  const phoneNumber = activity?.phoneNumber ?? asked;
  const from = activity && latestNumberOf(activity);
  const call = useCallTo(phoneNumber, from);
  useShortcut('c', call);
  return (
    <header className={styles['head']}>
      <IconLink
        href={`/${location.search}`}
        label={t('Back to the inbox')}
        icon={ChevronLeft}
        className={styles['back']}
      />
      <div className={styles['who']}>
        <PageHeading title={name ?? phoneNumber} className={styles['name']}>
          {name === undefined ? <PhoneNumber value={phoneNumber} /> : <bdi>{name}</bdi>}
        </PageHeading>
        {name !== undefined && (
          <p className={text['meta']}>
            <PhoneNumber value={phoneNumber} />
          </p>
        )}
      </div>
      <div className={styles['actions']}>
        {activity && <ContactLink {...activity} />}
        <span className={styles['details']}>
          <IconButton label={t('Details')} icon={PanelRight} onPress={props.onPerson} />
        </span>
        <CallButton phoneNumber={phoneNumber} from={from} />
      </div>
    </header>
  );
}

function ContactLink({ contact, phoneNumber }: Activity): ReactNode {
  const [label, href, icon] = contact
    ? ([t('Open contact'), `~/dashboard/contacts/${encodeURIComponent(contact.id)}`, UserPen] as const)
    : ([
        t('New contact'),
        `~/dashboard/contacts/new?${new URLSearchParams({ phone: phoneNumber })}`,
        UserPlus,
      ] as const);
  return <IconLink {...{ label, href, icon }} showsLabel className={styles['icon-link']} />;
}
