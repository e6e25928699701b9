import { type FormEvent, type ReactNode, useState } from 'react';
import { announce } from '../ui/announcements.tsx';
import { FormFailure } from '../ui/form-failure.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { CustomerLeg } from './customer-leg.tsx';
import { BusinessNumberField, CustomerNumberField, useHasNumbers } from './number-choice.tsx';
import { sandbox } from './sandbox-client.ts';
import { keepStartedCalls, readStartedCalls, type StartedCall, withStartedCall } from './started-calls.ts';

export function CallSection(): ReactNode {
  const hasNumbers = useHasNumbers();
  const [calls, setCalls] = useState(() => readStartedCalls(sessionStorage));
  function show(next: readonly StartedCall[]): void {
    keepStartedCalls(sessionStorage, next);
    setCalls(next);
  }
  const { submit, pending, errorsOf, error, form } = useSubmit(
    ({ from, to }: { from: string; to: string }) => sandbox.call(from, to),
    ({ leg_id: legId }, { from, to }) => {
      show(withStartedCall(calls, { legId, from, to }));
      announce(`${from} is calling.`);
    },
  );
  function call(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    if (!pending) submit({ from: String(typed.get('from')).trim(), to: String(typed.get('to')) });
  }
  return (
    <section aria-labelledby="call">
      <h2 id="call">Call a business number</h2>
      <form ref={form} noValidate onSubmit={call}>
        <FormFailure error={error} form={form} />
        <CustomerNumberField
          label="From"
          name="from"
          hint="The customer’s number, or “anonymous”."
          errors={errorsOf('from')}
        />
        <BusinessNumberField label="To" name="to" errors={errorsOf('to')} />
        <button disabled={!hasNumbers} aria-disabled={pending}>
          Call a business number
        </button>
      </form>
      {calls.map(({ legId, from, to }) => (
        <CustomerLeg
          key={legId}
          legId={legId}
          title={`${from} to ${to}`}
          onRemove={() => show(calls.filter((one) => one.legId !== legId))}
        />
      ))}
    </section>
  );
}
