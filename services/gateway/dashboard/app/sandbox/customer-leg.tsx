import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { queryClient } from '../api/query-client.ts';
import { t } from '../i18n/translate.ts';
import { Dot } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Phone, PhoneOff, SendHorizontal } from '../ui/icons/index.ts';
import { Keypad } from '../ui/keypad.tsx';
import { Failure } from '../ui/query-state.tsx';
import styles from './customer-phone.module.css';
import { heardText, stateText } from './leg-text.ts';
import { type Leg, sandbox } from './sandbox-client.ts';

const REFRESH_MS = 700;

const legKey = (legId: string) => ['sandbox', 'leg', legId];

/** A leg as it is now, read again and again until it has ended. */
export function useLeg(legId: string | undefined) {
  return useQuery({
    queryKey: legKey(legId ?? ''),
    queryFn: ({ signal }) => sandbox.leg(legId ?? '', signal),
    enabled: legId !== undefined,
    refetchInterval: ({ state }) => (state.data?.state === 'ended' || state.error ? false : REFRESH_MS),
  });
}

/** The customer's side of a call, live: what is heard as captions, keys, and words to say. */
export function CustomerLeg(props: {
  legId: string;
  title: ReactNode;
  name: string;
  onRemove?: () => void;
}): ReactNode {
  const { legId } = props;
  const leg = useLeg(legId);
  // The sandbox responds with the current leg.
  const act = useMutation({
    mutationFn: (action: () => Promise<Leg>) => action(),
    onSuccess: (next) => queryClient.setQueryData(legKey(legId), next),
  });
  const isGone = leg.error instanceof ApiError && leg.error.isNotFound;
  const hasEnded = leg.data?.state === 'ended' || isGone;
  return (
    <article className={styles['leg']} aria-label={t('Customer {name}', { name: props.name })}>
      <h3 className={styles['title']}>{props.title}</h3>
      <p className={styles['state']}>
        {leg.data?.state === 'connected' && <Dot tone="good" isLive />}
        <span role="status">
          {isGone ? t('Ended: the sandbox has started anew.') : leg.data ? stateText(leg.data) : t('Dialling')}
        </span>
      </p>
      {leg.error && !isGone && <Failure error={leg.error} onRetry={leg.refetch} />}
      {act.error && <Failure error={act.error} />}
      <Captions leg={leg.data} />
      {!hasEnded && leg.data && (
        <LegControls leg={leg.data} isBusy={act.isPending} act={(action) => act.mutate(action)} />
      )}
      {hasEnded && props.onRemove && (
        <Button block onPress={props.onRemove}>
          {t('Put the phone away')}
        </Button>
      )}
    </article>
  );
}

/** The audio of the customer as text, scrolled to its end. */
function Captions({ leg }: { leg: Leg | undefined }): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const count = leg?.heard.length ?? 0;
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [count]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls what has the focus
    <div ref={box} className={styles['captions']} tabIndex={0} role="group" aria-label={t('The customer hears')}>
      <p className={styles['quiet']}>{t('The customer hears')}</p>
      <ol aria-label={t('Heard')} aria-live="polite">
        {leg?.heard.map((heard, index) => (
          // Things heard have no id and are only ever added.
          <li key={index} className={index === count - 1 ? styles['newest'] : undefined} dir="auto">
            {heardText(heard)}
          </li>
        ))}
      </ol>
    </div>
  );
}

function LegControls(props: { leg: Leg; isBusy: boolean; act: (action: () => Promise<Leg>) => void }): ReactNode {
  const { leg, act } = props;
  const id = leg.leg_id;
  const [text, setText] = useState('');
  const [keys, setKeys] = useState('');
  function sayText(): void {
    if (text.trim() === '') return;
    const said = text;
    act(async () => {
      const next = await sandbox.say(id, said);
      setText((current) => (current === said ? '' : current));
      return next;
    });
  }
  function pressKeys(digits: string): void {
    if (digits.trim() === '') return;
    act(async () => {
      const next = await sandbox.press(id, digits.trim());
      setKeys((current) => (current === digits ? '' : current));
      return next;
    });
  }
  return (
    <>
      <Keypad label={t('Keypad')} onPress={pressKeys} />
      <form
        className={styles['inline']}
        onSubmit={(event) => {
          event.preventDefault();
          sayText();
        }}
      >
        <TextField
          label={t('Say')}
          hideLabel
          placeholder={t('Say something as the customer')}
          maxLength={3000}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" icon={SendHorizontal}>
          {t('Say')}
        </Button>
      </form>
      <form
        className={styles['inline']}
        onSubmit={(event) => {
          event.preventDefault();
          pressKeys(keys);
        }}
      >
        <TextField
          label={t('Press keys')}
          hideLabel
          placeholder={t('Several keys, such as 12#')}
          inputMode="tel"
          maxLength={64}
          value={keys}
          onChange={(event) => setKeys(event.target.value)}
        />
        <Button type="submit">{t('Press keys')}</Button>
      </form>
      <div className={styles['actions']}>
        {leg.state === 'ringing' && (
          <Button variant="answer" size="l" icon={Phone} block onPress={() => act(() => sandbox.answer(id))}>
            {t('Answer')}
          </Button>
        )}
        <Button variant="danger" size="l" icon={PhoneOff} block onPress={() => act(() => sandbox.hangUp(id))}>
          {t('Hang up')}
        </Button>
      </div>
    </>
  );
}
