import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { Form, textIn } from '../ui/form.tsx';
import { Phone } from '../ui/icons/index.ts';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { useFilters } from '../ui/use-filters.ts';
import { useSubmit } from '../ui/use-submit.ts';
import { CustomerLeg } from './customer-leg.tsx';
import styles from './customer-phone.module.css';
import { MicrophoneControl } from './microphone-control.tsx';
import { BusinessNumberField, CustomerNumberField, useHasNumbers } from './number-choice.tsx';
import { sandbox } from './sandbox-client.ts';
import { type StartedCall, withStartedCall } from './started-calls.ts';

/** A customer's phone: first it dials, then it is in the call. */
export function CallSection(props: {
  calls: readonly StartedCall[];
  onChange: (calls: readonly StartedCall[]) => void;
}): ReactNode {
  const { calls, onChange } = props;
  const hasNumbers = useHasNumbers();
  const filters = useFilters();
  const sending = useSubmit(
    ({ from, to }: { from: string; to: string }) => sandbox.call(from, to),
    ({ leg_id: legId }, { from, to }) => {
      onChange(withStartedCall(calls, { legId, from, to }));
    },
  );
  const { errorsOf } = sending;
  return (
    <section className={styles['phone']} aria-label={t('Call a business number')}>
      <h2>{t('Customer’s phone')}</h2>
      <MicrophoneControl legId={calls[0]?.legId} />
      {calls.map(({ legId, from, to }) => (
        <CustomerLeg
          key={legId}
          legId={legId}
          name={`${from} to ${to}`}
          title={<PhoneNumber value={to} />}
          onRemove={() => onChange(calls.filter((one) => one.legId !== legId))}
        />
      ))}
      <Form
        sending={sending}
        onSubmit={(typed) => sending.submit({ from: textIn(typed, 'from'), to: textIn(typed, 'to') })}
        className={styles['form']}
      >
        <CustomerNumberField
          label={t('From')}
          name="from"
          hint={t('The customer’s number, or “anonymous”.')}
          errors={errorsOf('from')}
        />
        <BusinessNumberField
          label={t('To number')}
          name="to"
          defaultValue={filters.get('to')}
          errors={errorsOf('to')}
        />
        <Button
          type="submit"
          variant={calls.length === 0 ? 'answer' : 'secondary'}
          size="l"
          icon={Phone}
          block
          isDisabled={!hasNumbers}
          busy={sending.pending}
        >
          {t('Call a business number')}
        </Button>
      </Form>
    </section>
  );
}
