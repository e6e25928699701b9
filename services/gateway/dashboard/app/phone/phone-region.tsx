import '../styles/phone.css';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { businessNumbersQuery } from '../api/shared-queries.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { Switch } from '../ui/switch.tsx';
import { CurrentCall } from './current-call.tsx';
import { IncomingCall } from './incoming-call.tsx';
import type { PhoneState } from './phone-state.ts';
import { softphone } from './softphone.ts';

/** The phone of this browser, on every page. */
export function PhoneRegion(): ReactNode {
  const state = useSyncExternalStore(softphone.subscribe, softphone.current);
  useEffect(() => softphone.restore(), []);
  const { call, isWanted, notice } = state;
  const [dialled, setDialled] = useState('');
  // What was typed stays until somebody has answered: the call may fail.
  if (call?.state === 'active' && dialled !== '') setDialled('');
  const isRinging = call?.direction === 'incoming' && call.state === 'ringing';
  return (
    <section aria-label="Phone" className="phone">
      <Switch
        label="Available for calls"
        checked={isWanted}
        onChange={(wanted) => void softphone.setAvailable(wanted)}
      />
      <p role="status" className="soft phone-status">
        {notice ?? registrationText(state)}
      </p>
      {isRinging && <IncomingCall call={call} />}
      {call && !isRinging ? (
        <CurrentCall call={call} />
      ) : (
        <DialForm number={dialled} onChange={setDialled} disabled={call !== null} />
      )}
    </section>
  );
}

function registrationText({ isWanted, registration }: PhoneState): string {
  if (!isWanted) return '';
  return registration === 'registered' ? 'This browser takes calls.' : 'Connecting…';
}

function DialForm(props: { number: string; onChange: (number: string) => void; disabled: boolean }): ReactNode {
  const { number, disabled } = props;
  const { data: numbers = [] } = useQuery(businessNumbersQuery);
  const [chosen, setChosen] = useState('');
  const from = numbers.find(({ id }) => id === chosen) ?? numbers[0];
  function dial(event: FormEvent): void {
    event.preventDefault();
    if (from && number.trim() !== '') void softphone.dial(number, from.number);
  }
  return (
    <form onSubmit={dial}>
      <TextField
        label="Number to call"
        type="tel"
        autoComplete="tel"
        maxLength={64}
        value={number}
        onChange={(event) => props.onChange(event.target.value)}
      />
      <SelectField label="Call from" value={from?.id ?? ''} onChange={(event) => setChosen(event.target.value)}>
        {numbers.map(({ id, name, number_formatted: formatted }) => (
          <option key={id} value={id}>
            {name} ({formatted})
          </option>
        ))}
      </SelectField>
      <button disabled={disabled || !from || number.trim() === ''}>Call</button>
    </form>
  );
}
