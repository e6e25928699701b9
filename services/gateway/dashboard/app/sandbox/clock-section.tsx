import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { queryClient } from '../api/query-client.ts';
import { announce } from '../ui/announcements.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Failure, QueryState } from '../ui/query-state.tsx';
import { sandbox } from './sandbox-client.ts';

const UNITS = [
  ['1', 'seconds'],
  ['60', 'minutes'],
  ['3600', 'hours'],
  ['86400', 'days'],
] as const;
const REFRESH_MS = 5000;
const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });

export function ClockSection(): ReactNode {
  const [amount, setAmount] = useState('1');
  const [unit, setUnit] = useState<string>('3600');
  const clock = useQuery({
    queryKey: ['sandbox', 'clock'],
    queryFn: ({ signal }) => sandbox.clock(signal),
    refetchInterval: REFRESH_MS,
  });
  const move = useMutation({
    mutationFn: async (seconds: number | null): Promise<void> => {
      if (seconds === null) await sandbox.resetClock();
      else await sandbox.advance(seconds);
    },
    onSuccess: (_moved, seconds) => {
      announce(seconds === null ? 'Back to real time.' : 'The clock was moved.');
      // Everything may look different at another time.
      return queryClient.invalidateQueries();
    },
  });
  return (
    <section aria-labelledby="clock">
      <h2 id="clock">Move the clock</h2>
      <QueryState query={clock} what="time">
        {({ now }) => (
          <p>
            For Parley it is <time dateTime={now}>{time.format(new Date(now))}</time>.
          </p>
        )}
      </QueryState>
      {move.error && <Failure error={move.error} />}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!move.isPending) move.mutate(Number(amount) * Number(unit));
        }}
      >
        <div className="filters">
          <TextField
            type="number"
            label="Forward by"
            min={1}
            value={amount}
            onChange={(event) => setAmount(event.target.value)}
          />
          <SelectField label="Unit" value={unit} onChange={(event) => setUnit(event.target.value)}>
            {UNITS.map(([seconds, name]) => (
              <option key={seconds} value={seconds}>
                {name}
              </option>
            ))}
          </SelectField>
        </div>
        <p className="hint">
          Business hours, timers and retries follow it. So do sign-ins: after weeks you have to sign in again.
        </p>
        <div className="actions">
          <button aria-disabled={move.isPending}>Move the clock</button>
          <button
            type="button"
            className="quiet"
            aria-disabled={move.isPending}
            onClick={() => move.isPending || move.mutate(null)}
          >
            Back to real time
          </button>
          <span role="status" className="soft">
            {move.isPending ? 'Moving…' : ''}
          </span>
        </div>
      </form>
    </section>
  );
}
