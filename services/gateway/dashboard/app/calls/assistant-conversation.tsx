import type { ComponentProps, ReactNode } from 'react';
import type { Call } from '../api/schema.d.ts';
import { phoneText } from '../i18n/phone-number.ts';
import { t } from '../i18n/translate.ts';
import { CallButton } from '../phone/call-button.tsx';
import { Badge } from '../ui/badge.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { MessageSquare, StickyNote } from '../ui/icons/index.ts';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { Time } from '../ui/time.tsx';
import { AssistantBadge } from './assistant-badge.tsx';
import { type AssistantSession, useAssistantSession } from './assistant-queries.ts';
import { assistantOutcomeText, inTranscript, textsOf } from './assistant-text.ts';
import { useTranscript } from './call-queries.ts';
import { isWithAssistant, remoteNumber } from './call-text.ts';
import { ConversationItems } from './conversation-items.tsx';
import styles from './conversation.module.css';
import { FindInTranscript } from './find-in-transcript.tsx';
import { LiveTranscript } from './live-transcript.tsx';
import { TakeOver } from './take-over.tsx';
import { Transcript, TranscriptSection } from './transcript.tsx';

/** While an assistant is in a call: what is said, and how to take over. */
export function LiveConversation({ call, personName }: { call: Call; personName: string | undefined }): ReactNode {
  if (call.assistant === null || !isWithAssistant(call)) return null;
  const { name } = call.assistant;
  return (
    <section className={styles['conversation']} aria-label={t('Conversation with {name}', { name })}>
      <div className={styles['head']}>
        <h2>{t('Live transcript')}</h2>
        <AssistantBadge />
      </div>
      <TakeOver call={call} />
      <LiveTranscript call={call} personName={nameOf(call, personName)} />
    </section>
  );
}

/** The message that an assistant took. */
export function AssistantMessage({ call }: { call: Call }): ReactNode {
  const { data: session } = useAssistantSession(call);
  return session?.message ? <Message call={call} message={session.message} /> : null;
}

/** What an assistant and the caller said, once the assistant has left, and the transcript of what followed. */
export function AssistedTranscript(props: ComponentProps<typeof Transcript>): ReactNode {
  const { call } = props;
  const session = useAssistantSession(call);
  const { data: segments = [] } = useTranscript(call);
  if (isWithAssistant(call)) return null;
  // A call that was passed on at once has no conversation.
  if (session.data === null) return <Transcript {...props} />;
  const items = session.data?.items ?? [];
  const { startMs, turns } = inTranscript(items, segments);
  const said = items.filter((item) => item.type === 'turn').flatMap(textsOf);
  const texts = [...said, ...segments.slice(turns).map(({ text }) => text)].filter(Boolean);
  return (
    <FindInTranscript texts={texts}>
      {({ words, field }) => (
        <>
          <QueryState query={session} skeleton={null}>
            {(data) =>
              data && (
                <EndedConversation
                  call={call}
                  session={data}
                  personName={nameOf(call, props.personName)}
                  startMs={startMs}
                  onJump={props.onJump}
                  words={words}
                  field={field}
                />
              )
            }
          </QueryState>
          {call.answered_at !== null && <TranscriptSection {...props} words={words} from={turns} />}
        </>
      )}
    </FindInTranscript>
  );
}

const nameOf = (call: Call, personName: string | undefined) =>
  personName ?? phoneText(remoteNumber(call) ?? t('Unknown number'));

function EndedConversation(
  props: { call: Call; session: AssistantSession; field: ReactNode } & Omit<
    ComponentProps<typeof ConversationItems>,
    'session'
  >,
): ReactNode {
  const { call, session, field, ...more } = props;
  const outcome = assistantOutcomeText(session.outcome ?? call.assistant?.outcome ?? null, session.fallback_reason);
  const name = session.assistant.name;
  const turns = session.items.filter((item) => item.type === 'turn');
  return (
    <section
      className={classes(styles['conversation'], styles['ended'])}
      aria-label={t('Conversation with {name}', { name })}
    >
      <div className={styles['head']}>
        <h2>
          <bdi>{t('Conversation with {name}', { name })}</bdi>
        </h2>
        <AssistantBadge />
        {outcome !== undefined && <p className={styles['outcome']}>{outcome}</p>}
        {field}
      </div>
      {turns.length > 0 && turns.every(({ text }) => text === null) && (
        <p className={styles['quiet']}>{t('What was said was not kept.')}</p>
      )}
      <ol className={styles['lines']}>
        <ConversationItems session={session} {...more} />
      </ol>
    </section>
  );
}

/** What the caller wanted to be passed on, and how to answer. */
function Message(props: { call: Call; message: NonNullable<AssistantSession['message']> }): ReactNode {
  const { call, message } = props;
  const number = message.callback_number ?? remoteNumber(call);
  return (
    <section className={styles['message']} aria-label={t('Message')}>
      <div className={styles['head']}>
        <h2>{t('Message')}</h2>
        {message.callback_requested && (
          <Badge tone="warn" icon={StickyNote}>
            {t('Wants to be called back')}
          </Badge>
        )}
        <span className={styles['when']}>
          <Time at={message.taken_at} withTime />
        </span>
      </div>
      <p className={styles['words']} dir="auto">
        {message.text}
      </p>
      <dl className={styles['facts']}>
        {message.caller_name && (
          <div>
            <dt>{t('From')}</dt>
            <dd>
              <bdi>{message.caller_name}</bdi>
            </dd>
          </div>
        )}
        {message.for && (
          <div>
            <dt>{t('For')}</dt>
            <dd>
              <bdi>{message.for.name}</bdi>
            </dd>
          </div>
        )}
        {number !== undefined && (
          <div>
            <dt>{t('Number')}</dt>
            <dd>
              <PhoneNumber value={number} />
            </dd>
          </div>
        )}
        {message.wanted && (
          <div>
            <dt>{t('When')}</dt>
            <dd>
              <bdi>{message.wanted}</bdi>
            </dd>
          </div>
        )}
      </dl>
      {number !== undefined && (
        <div className={styles['actions']}>
          <CallButton phoneNumber={number} from={call.main_number_id} label={t('Call back')} />
          <ButtonLink href={`~/dashboard/inbox/${encodeURIComponent(number)}`} icon={MessageSquare}>
            {t('Reply by text')}
          </ButtonLink>
        </div>
      )}
    </section>
  );
}
