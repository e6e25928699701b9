import { type ReactNode, useEffect, useId, useRef } from 'react';
import { t } from '../i18n/translate.ts';
import { session } from '../session.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { MEDIUM, SMALL } from '../ui/icon.ts';
import { Bot, HangUp, Info, Phone, PhoneForwarded, PhoneIncoming } from '../ui/icons/index.ts';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { useShortcut } from '../ui/shortcuts.ts';
import text from '../ui/text.module.css';
import { Name } from '../ui/text.tsx';
import styles from './incoming-call.module.css';
import { type ActiveCall, useActiveCall, useCall, useCallerContext } from './phone-queries.ts';
import type { PhoneCall } from './phone-state.ts';
import { softphone } from './softphone.ts';

/** A call that rings here. It takes the focus unless somebody types: a key for a form must not answer it. */
export function IncomingCall({ call }: { call: PhoneCall }): ReactNode {
  const id = useId();
  const answer = useRef<HTMLButtonElement>(null);
  const { data: details } = useCall(call.callId);
  const { data: context } = useCallerContext(call.number);
  const { data: active } = useActiveCall(true);
  const own = active?.call.id === call.callId ? active : undefined;
  const transfer = own?.transfer;
  const assistant = own?.assistant;
  // An assistant may ring several employees at once.
  const transferredBy =
    transfer?.to_employee?.id === session.employeeId
      ? (transfer.from_employee ?? transfer.from_assistant)?.name
      : assistant?.name;
  const known = context?.contact?.name ?? context?.contexts.find(({ contact }) => contact?.name)?.contact?.name;
  const name = known ?? assistant?.caller_name;
  useShortcut('alt+a', () => softphone.answer());
  useEffect(() => {
    if (!isTyping(document.activeElement)) answer.current?.focus();
  }, []);
  return (
    <div
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-who`}
      className={styles['incoming']}
    >
      <h2 id={`${id}-title`} className={styles['title']}>
        {transferredBy === undefined ? <PhoneIncoming {...SMALL} /> : <PhoneForwarded {...SMALL} />}
        {t('Incoming call')}
      </h2>
      <div id={`${id}-who`} aria-live="assertive" className={styles['who']}>
        <p className={styles['line']}>
          {details && <bdi title={details.main_number_formatted}>{details.main_number_name}</bdi>}
          {details && transferredBy !== undefined && ' · '}
          {transferredBy !== undefined && t('transferred by {name}', { name: transferredBy })}
        </p>
        <div className={styles['person']}>
          <Avatar id={context?.contact?.id ?? call.number} name={name ?? undefined} size={48} />
          <p>
            {name && (
              <strong className={styles['name']}>
                <Name>{name}</Name>
              </strong>
            )}{' '}
            <span className={name ? text['meta'] : styles['name']}>
              <PhoneNumber value={call.number} />
            </span>
          </p>
        </div>
        {assistant && <Matter assistant={assistant} knownName={known} />}
        {context && <ContextSummary context={context} />}
      </div>
      <div className={styles['actions']}>
        <Button variant="danger" icon={HangUp} onPress={() => softphone.decline()}>
          {t('Decline')}
        </Button>
        <Button ref={answer} variant="answer" icon={Phone} onPress={() => softphone.answer()}>
          {t('Answer')}
        </Button>
      </div>
    </div>
  );
}

/** What the caller said to the assistant: the matter, and another name than the one that is known. */
function Matter(props: {
  assistant: NonNullable<ActiveCall['assistant']>;
  knownName: string | null | undefined;
}): ReactNode {
  const { caller_name: callerName, matter } = props.assistant;
  const saidName = callerName === props.knownName ? null : callerName;
  if (!matter && !(props.knownName && saidName)) return null;
  return (
    <div className={styles['matter']}>
      <Bot {...MEDIUM} />
      <p>
        {props.knownName && saidName && (
          <span className={text['meta']}>
            {t('Says to be')} <bdi>{saidName}</bdi>.{' '}
          </span>
        )}
        <bdi>{matter}</bdi>
      </p>
    </div>
  );
}

type Context = NonNullable<ReturnType<typeof useCallerContext>['data']>;

/** A few lines that are useful before answering. */
export function ContextSummary({ context }: { context: Context }): ReactNode {
  const own = [context.contact?.company_name, context.contact?.note].filter(Boolean).join(' · ');
  const others = context.contexts.map(({ label, source, contact }) => {
    const words = [contact?.name, contact?.company_name, contact?.note].filter(Boolean).join(' · ');
    return `${label}: ${words || source}`;
  });
  const lines = [own, ...others].filter(Boolean);
  if (lines.length === 0) return null;
  return (
    <ul className={styles['context']}>
      {lines.map((line, index) => (
        <li key={index}>
          <Info {...MEDIUM} />
          <bdi>{line}</bdi>
        </li>
      ))}
    </ul>
  );
}

function isTyping(element: Element | null): boolean {
  return element?.matches('input, textarea, select, [contenteditable]') ?? false;
}
