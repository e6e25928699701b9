import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { TextArea } from '../ui/field.tsx';
import { Fields, Form, textIn } from '../ui/form.tsx';
import { SendHorizontal } from '../ui/icons/index.ts';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { Time } from '../ui/time.tsx';
import { useSubmit } from '../ui/use-submit.ts';
import { BusinessNumberField, CUSTOMER, CustomerNumberField, useHasNumbers } from './number-choice.tsx';
import { sandbox } from './sandbox-client.ts';
import styles from './sandbox.module.css';

const REFRESH_MS = 2000;

export function TextSection(): ReactNode {
  const hasNumbers = useHasNumbers();
  const [customer, setCustomer] = useState(CUSTOMER);
  const [text, setText] = useState('');
  const sending = useSubmit(
    async (sent: { from: string; to: string; text: string }) => {
      const { callback_status: status } = await sandbox.text(sent);
      if (status === null || status >= 300)
        throw new Error(t('The service did not take the text: {status}.', { status: status ?? t('no response') }));
    },
    (_output, { from }) => {
      setText('');
      setCustomer(from);
      announce(t('The text was sent.'));
    },
  );
  const { errorsOf } = sending;
  return (
    <section className={styles['part']} aria-label={t('Send a text')}>
      <h2>{t('Send a text')}</h2>
      <Form
        sending={sending}
        onSubmit={(typed) => sending.submit({ from: textIn(typed, 'from'), to: textIn(typed, 'to'), text })}
        submitLabel={t('Send a text')}
        button={{ variant: 'secondary', icon: SendHorizontal, isDisabled: !hasNumbers }}
      >
        <Fields>
          <CustomerNumberField
            label={t('From')}
            name="from"
            hint={t('The customer’s number.')}
            errors={errorsOf('from')}
          />
          <BusinessNumberField label={t('To number')} name="to" errors={errorsOf('to')} />
          <TextArea
            label={t('Text')}
            value={text}
            errors={errorsOf('text')}
            onChange={(event) => setText(event.target.value)}
          />
        </Fields>
      </Form>
      <TextsTo customer={customer} />
    </section>
  );
}

function TextsTo({ customer }: { customer: string }): ReactNode {
  const texts = useQuery({
    queryKey: ['sandbox', 'texts to', customer],
    queryFn: ({ signal }) => sandbox.textsTo(customer, signal),
    refetchInterval: REFRESH_MS,
  });
  if (!texts.data || texts.data.length === 0) return null;
  return (
    <>
      <h3>
        {t('Texts to')} <PhoneNumber value={customer} />
      </h3>
      <ul className={styles['texts']} aria-label={t('Texts to {number}', { number: customer })}>
        {texts.data.map(({ provider_id: id, from, text, submitted_at: at }) => (
          <li key={id}>
            <span className={styles['bubble']} dir="auto">
              {text}
            </span>
            <span className={styles['quiet']}>
              <PhoneNumber value={from} /> · <Time at={at} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
