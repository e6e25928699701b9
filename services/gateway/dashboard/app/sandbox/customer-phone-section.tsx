import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { t } from '../i18n/translate.ts';
import { TextField } from '../ui/field.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { CustomerLeg } from './customer-leg.tsx';
import styles from './sandbox.module.css';
import { CUSTOMER } from './number-choice.tsx';
import { sandbox } from './sandbox-client.ts';

const REFRESH_MS = 2000;

/** The phone of a customer whom an employee calls. */
export function CustomerPhoneSection(): ReactNode {
  const [number, setNumber] = useState(CUSTOMER);
  const wanted = useDebounced(number.trim());
  const legs = useQuery({
    queryKey: ['sandbox', 'legs at', wanted],
    queryFn: ({ signal }) => sandbox.legsAt(wanted, signal),
    enabled: wanted !== '',
    refetchInterval: REFRESH_MS,
  });
  return (
    <section className={styles['part']} aria-label={t('Answer as a customer')}>
      <h2>{t('Answer as a customer')}</h2>
      <TextField
        label={t('Customer’s phone')}
        hint={t('When you call this number from the phone, it rings here.')}
        inputMode="tel"
        value={number}
        onChange={(event) => setNumber(event.target.value)}
      />
      {wanted !== '' && (
        <QueryState query={legs} empty={<p className={styles['quiet']}>{t('No call rings at this number.')}</p>}>
          {(list) =>
            list.map(({ leg_id: legId }) => (
              <CustomerLeg key={legId} legId={legId} name={wanted} title={<PhoneNumber value={wanted} />} />
            ))
          }
        </QueryState>
      )}
    </section>
  );
}
