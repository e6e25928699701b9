import { type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../i18n/translate.ts';
import { session } from '../session.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Dot } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { duration } from '../ui/duration.ts';
import { IconButton, IconLink, RoundButton } from '../ui/icon-button.tsx';
import {
  ArrowUpRight,
  ChevronDown,
  CirclePause,
  CirclePlay,
  Grip,
  HangUp,
  Mic,
  MicOff,
  Pause,
  PhoneForwarded,
  Settings2,
} from '../ui/icons/index.ts';
import { Keypad } from '../ui/keypad.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { useShortcut } from '../ui/shortcuts.ts';
import { Name } from '../ui/text.tsx';
import { useNow } from '../ui/use-now.ts';
import { type Conversation, useConversation } from './conversation.ts';
import styles from './current-call.module.css';
import { ContextSummary } from './incoming-call.tsx';
import { MicrophoneChoice } from './microphone-choice.tsx';
import { useActiveCall, useCall, useCallerContext, useEndedCall } from './phone-queries.ts';
import type { PhoneCall } from './phone-state.ts';
import { QueueLine } from './queue-line.tsx';
import { softphone } from './softphone.ts';
import { TransferChoice, TransferState } from './transfer-controls.tsx';

type Panel = 'keypad' | 'transfer' | 'device';

/** The call of this browser: a card, a bar where there is less room, a whole screen on a phone. */
export function CurrentCall({ call, isOneOfTwo }: { call: PhoneCall; isOneOfTwo: boolean }): ReactNode {
  const [panel, setPanel] = useState<Panel>();
  const [isSmall, setIsSmall] = useState(false);
  const { data: active } = useActiveCall(true, panel === 'transfer');
  const isActive = call.state === 'active';
  const own = active?.call.id === call.callId ? active : undefined;
  useIdentity(call, active?.call.id);
  const mute = useFocusWhen(isActive && call.direction === 'incoming');
  useShortcut('alt+m', isActive ? () => softphone.setMuted(!call.isMuted) : undefined);
  useShortcut('alt+Backspace', () => softphone.hangUp());
  useShortcut('Escape', panel && (() => setPanel(undefined)));
  const toggle = (wanted: Panel) => setPanel(panel === wanted ? undefined : wanted);
  const transfer = own?.transfer ?? null;
  const isTarget = transfer?.to_employee?.id === session.employeeId;
  // With both on hold, the API may answer with the other one.
  const isController = isActive && !isTarget && (own !== undefined || isOneOfTwo);
  const conversation = useConversation(isController ? (call.callId ?? undefined) : undefined);
  useShortcut('alt+h', isController && !transfer ? () => conversation.hold(!conversation.isHeld) : undefined);
  return (
    <section
      aria-label={t('Current call')}
      className={classes(styles['card'], isSmall ? styles['small'] : panel && styles['with-panel'])}
      data-call={isSmall ? 'small' : 'shown'}
    >
      <span className={styles['collapse']}>
        <IconButton
          label={isSmall ? t('Show the call') : t('Hide the call')}
          icon={ChevronDown}
          onPress={() => setIsSmall(!isSmall)}
        />
      </span>
      <Head call={call} conversation={isController ? conversation : undefined}>
        <IconButton
          label={t('Device')}
          icon={Settings2}
          aria-expanded={panel === 'device'}
          onPress={() => toggle('device')}
        />
      </Head>
      <Person
        call={call}
        number={own ? otherEnd(own.call) : call.number}
        transferredBy={isTarget ? (transfer?.from_employee ?? transfer?.from_assistant)?.name : undefined}
      />
      {transfer && !isTarget && own ? (
        <TransferState callId={own.call.id} transfer={transfer} />
      ) : (
        <div className={styles['actions']}>
          <RoundButton
            ref={mute}
            label={t('Mute')}
            icon={call.isMuted ? MicOff : Mic}
            isOn={call.isMuted}
            aria-pressed={call.isMuted}
            isDisabled={!isActive}
            onPress={() => softphone.setMuted(!call.isMuted)}
          />
          <RoundButton
            label={t('Keypad')}
            icon={Grip}
            isOn={panel === 'keypad'}
            aria-expanded={panel === 'keypad'}
            isDisabled={!isActive}
            onPress={() => toggle('keypad')}
          />
          {isController && (
            <RoundButton
              label={t('Hold')}
              icon={Pause}
              isOn={conversation.isHeld}
              aria-pressed={conversation.isHeld}
              isDisabled={conversation.isHolding}
              onPress={() => conversation.hold(!conversation.isHeld)}
            />
          )}
          {isController && own && (
            <RoundButton
              label={t('Transfer')}
              icon={PhoneForwarded}
              isOn={panel === 'transfer'}
              aria-expanded={panel === 'transfer'}
              onPress={() => toggle('transfer')}
            />
          )}
        </div>
      )}
      {panel !== undefined && !(transfer && panel === 'transfer') && (
        <div className={styles['panel']}>
          {panel === 'keypad' && <Keypad label={t('Keys')} onPress={(key) => softphone.pressKey(key)} />}
          {panel === 'device' && <MicrophoneChoice />}
          {panel === 'transfer' && own && <TransferChoice active={own} onDone={() => setPanel(undefined)} />}
        </div>
      )}
      <span className={styles['hang-up']}>
        <Button variant="danger" icon={HangUp} block onPress={() => softphone.hangUp()}>
          {t('Hang up')}
        </Button>
      </span>
    </section>
  );
}

function Head(props: { call: PhoneCall; conversation: Conversation | undefined; children: ReactNode }): ReactNode {
  const { call, conversation } = props;
  const { data: details } = useCall(call.callId);
  const isHeld = conversation?.isHeld ?? false;
  return (
    <p className={styles['head']}>
      {call.activeSince === null ? (
        <span className={styles['calling']}>{t('Calling…')}</span>
      ) : (
        <>
          <Dot tone={isHeld ? 'warn' : 'good'} isLive={!isHeld} />
          <Elapsed since={call.activeSince} isHeld={isHeld} />
          {isHeld && <span className={styles['held']}>{t('On hold')}</span>}
        </>
      )}
      {details && <bdi className={styles['line']}>{t('on {number}', { number: details.main_number_name })}</bdi>}
      <span className={styles['tools']}>
        {conversation?.isRecorded && <RecordingSwitch conversation={conversation} />}
        {props.children}
      </span>
    </p>
  );
}

/** Pauses the recording, as while a card number is said. */
function RecordingSwitch({ conversation }: { conversation: Conversation }): ReactNode {
  const { isPaused, isPausing } = conversation;
  return (
    <span className={classes(styles['recording'], isPaused && styles['paused'])}>
      <IconButton
        label={isPaused ? t('Resume recording') : t('Pause recording')}
        icon={isPaused ? CirclePlay : CirclePause}
        isDisabled={isPausing}
        onPress={() => conversation.pause(!isPaused)}
      />
      {isPaused && <span role="status">{t('Not recorded')}</span>}
    </span>
  );
}

function Person(props: { call: PhoneCall; number: string; transferredBy: string | undefined }): ReactNode {
  const { number, transferredBy } = props;
  const { data: context } = useCallerContext(number);
  const { data: details } = useCall(props.call.callId);
  const contact = context?.contact;
  const name = contact?.name || contact?.company_name || undefined;
  return (
    <>
      <div className={styles['person']}>
        <Avatar id={contact?.id ?? number} name={name} size={36} />
        <p className={styles['who']}>
          <strong className={styles['name']}>{name ? <Name>{name}</Name> : <PhoneNumber value={number} />}</strong>{' '}
          <span className={styles['sub']}>
            {transferredBy !== undefined ? (
              t('from {name}, who has not handed over yet', { name: transferredBy })
            ) : name ? (
              <PhoneNumber value={number} />
            ) : (
              t('Not in your contacts')
            )}
          </span>
        </p>
        {number.startsWith('+') && (
          <IconLink
            href={`/inbox/${encodeURIComponent(number)}`}
            label={t('Open the conversation')}
            icon={ArrowUpRight}
            className={styles['open']}
          />
        )}
      </div>
      <div className={styles['context']}>
        {context && <ContextSummary context={context} />}
        {details && <QueueLine businessNumberId={details.main_number_id} />}
      </div>
    </>
  );
}

function Elapsed({ since, isHeld }: { since: number; isHeld: boolean }): ReactNode {
  const now = useNow();
  return (
    <span role="timer" aria-label={t('Time')} className={classes(styles['timer'], isHeld && styles['held'])}>
      {duration((now - since) / 1000)}
    </span>
  );
}

/** Tells the phone which call the API has, and that it has ended there. */
function useIdentity(call: PhoneCall, activeId: string | undefined): void {
  const isActive = call.state === 'active';
  useEffect(() => {
    if (activeId) softphone.identify(activeId);
  }, [activeId]);
  const endedId = useEndedCall(isActive ? call.callId : null);
  useEffect(() => {
    if (endedId) softphone.onCallEnded(endedId);
  }, [endedId]);
}

/** Focuses an element once, so that the focus is not lost with the button that was pressed. */
function useFocusWhen(isNow: boolean) {
  const element = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isNow && (document.activeElement === document.body || document.activeElement === null))
      element.current?.focus();
  }, [isNow]);
  return element;
}

function otherEnd({ direction, from, to }: { direction: string; from: string; to: string }): string {
  return direction === 'inbound' ? from : to;
}
