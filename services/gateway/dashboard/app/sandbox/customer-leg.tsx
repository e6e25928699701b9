import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../api/api-error.ts';
import { queryClient } from '../api/query-client.ts';
import { TextField } from '../ui/field.tsx';
import { Failure } from '../ui/query-state.tsx';
import { heardText, stateText } from './leg-text.ts';
import { type Leg, sandbox } from './sandbox-client.ts';

const REFRESH_MS = 700;
const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'];

/** The customer's side of a call, live. */
export function CustomerLeg(props: { legId: string; title: string; onRemove?: () => void }): ReactNode {
  const { legId, title } = props;
  const queryKey = ['sandbox', 'leg', legId];
  const leg = useQuery({
    queryKey,
    queryFn: ({ signal }) => sandbox.leg(legId, signal),
    refetchInterval: ({ state }) => (state.data?.state === 'ended' || state.error ? false : REFRESH_MS),
  });
  // What the sandbox answers is the leg as it is now.
  const act = useMutation({
    mutationFn: (action: () => Promise<Leg>) => action(),
    onSuccess: (next) => queryClient.setQueryData(queryKey, next),
  });
  const isGone = leg.error instanceof ApiError && leg.error.isNotFound;
  const hasEnded = leg.data?.state === 'ended' || isGone;
  return (
    <article className="leg" aria-label={`Customer ${title}`}>
      <h3>{title}</h3>
      <p role="status">
        {isGone ? 'Ended: the sandbox has started anew.' : leg.data ? stateText(leg.data) : 'Dialling'}
      </p>
      {leg.error && !isGone && <Failure error={leg.error} onRetry={leg.refetch} />}
      {act.error && <Failure error={act.error} />}
      <h4>The customer hears</h4>
      <ol aria-label="Heard" aria-live="polite" className="heard">
        {leg.data?.heard.map((heard, index) => (
          // Things heard have no id and are only ever added.
          <li key={index}>{heardText(heard)}</li>
        ))}
      </ol>
      {!hasEnded && leg.data && (
        <LegControls leg={leg.data} isBusy={act.isPending} act={(action) => act.mutate(action)} />
      )}
      {hasEnded && props.onRemove && (
        <button type="button" className="quiet" onClick={props.onRemove}>
          Remove from this list
        </button>
      )}
    </article>
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
      <form
        className="inline"
        onSubmit={(event) => {
          event.preventDefault();
          sayText();
        }}
      >
        <TextField
          label="Say"
          placeholder="I would like to order"
          maxLength={3000}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button aria-disabled={props.isBusy}>Say</button>
      </form>
      <form
        className="inline"
        onSubmit={(event) => {
          event.preventDefault();
          pressKeys(keys);
        }}
      >
        <TextField
          label="Press keys"
          inputMode="tel"
          maxLength={64}
          value={keys}
          onChange={(event) => setKeys(event.target.value)}
        />
        <button aria-disabled={props.isBusy}>Press keys</button>
      </form>
      <div className="keypad" role="group" aria-label="Keypad">
        {KEYS.map((key) => (
          <button key={key} type="button" className="quiet" onClick={() => pressKeys(key)}>
            {key}
          </button>
        ))}
      </div>
      <div className="actions">
        {leg.state === 'ringing' && (
          <button type="button" onClick={() => act(() => sandbox.answer(id))}>
            Answer
          </button>
        )}
        <button type="button" className="danger" onClick={() => act(() => sandbox.hangUp(id))}>
          Hang up
        </button>
      </div>
    </>
  );
}
