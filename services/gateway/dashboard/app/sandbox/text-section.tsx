import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { announce } from '../ui/announcements.tsx';
import { TextArea } from '../ui/field.tsx';
import { FormFailure } from '../ui/form-failure.tsx';
import { Time } from '../ui/time.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { BusinessNumberField, CUSTOMER, CustomerNumberField, useHasNumbers } from './number-choice.tsx';
import { sandbox } from './sandbox-client.ts';

const REFRESH_MS = 2000;

export function TextSection(): ReactNode {
  const hasNumbers = useHasNumbers();
  const [customer, setCustomer] = useState(CUSTOMER);
  const [text, setText] = useState('');
  const { submit, pending, errorsOf, error, form } = useSubmit(
    async (sent: { from: string; to: string; text: string }) => {
      const { callback_status: status } = await sandbox.text(sent);
      if (status === null || status >= 300)
        throw new Error(`The service did not take the text: ${status ?? 'no response'}.`);
    },
    (_output, { from }) => {
      setText('');
      setCustomer(from);
      announce('The text was sent.');
    },
  );
  function send(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const field = (name: string) => String(typed.get(name) ?? '');
    if (!pending) submit({ from: field('from').trim(), to: field('to'), text });
  }
  return (
    <section aria-labelledby="text">
      <h2 id="text">Send a text</h2>
      <form ref={form} noValidate onSubmit={send}>
        <FormFailure error={error} form={form} />
        <CustomerNumberField label="From" name="from" hint="The customer’s number." errors={errorsOf('from')} />
        <BusinessNumberField label="To" name="to" errors={errorsOf('to')} />
        <TextArea
          label="Text"
          value={text}
          errors={errorsOf('text')}
          onChange={(event) => setText(event.target.value)}
        />
        <button disabled={!hasNumbers} aria-disabled={pending}>
          Send a text
        </button>
      </form>
      <TextsTo customer={customer} />
    </section>
  );
}

/** What the company has sent to a customer. */
function TextsTo({ customer }: { customer: string }): ReactNode {
  const texts = useQuery({
    queryKey: ['sandbox', 'texts to', customer],
    queryFn: ({ signal }) => sandbox.textsTo(customer, signal),
    refetchInterval: REFRESH_MS,
  });
  if (!texts.data || texts.data.length === 0) return null;
  return (
    <>
      <h3>Texts to {customer}</h3>
      <ul className="list" aria-label={`Texts to ${customer}`}>
        {texts.data.map(({ provider_id: id, from, text, submitted_at: at }) => (
          <li key={id}>
            {text}{' '}
            <span className="soft">
              from {from}, <Time at={at} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
