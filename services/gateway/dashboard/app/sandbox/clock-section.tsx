import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { queryClient } from '../api/query-client.ts';
import { fullTime } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { Button } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { FormActions } from '../ui/form.tsx';
import { Failure, QueryState } from '../ui/query-state.tsx';
import { sandbox } from './sandbox-client.ts';
import styles from './sandbox.module.css';

const units = () =>
  [
    ['1', t('seconds')],
    ['60', t('minutes')],
    ['3600', t('hours')],
    ['86400', t('days')],
  ] as const;
const REFRESH_MS = 5000;

export function useSandboxClock() {
  return useQuery({
    queryKey: ['sandbox', 'clock'],
    queryFn: ({ signal }) => sandbox.clock(signal),
    refetchInterval: REFRESH_MS,
  });
}

export function ClockSection(): ReactNode {
  const [amount, setAmount] = useState('1');
  const [unit, setUnit] = useState<string>('3600');
  const clock = useSandboxClock();
  const move = useMutation({
    mutationFn: async (seconds: number | null): Promise<void> => {
      if (seconds === null) await sandbox.resetClock();
      else await sandbox.advance(seconds);
    },
    onSuccess: (_moved, seconds) => {
      announce(seconds === null ? t('Back to real time.') : t('The clock was moved.'));
      // Everything may look different at another time.
      return queryClient.invalidateQueries();
    },
  });
  return (
    <section className={styles['part']} aria-label={t('Move the clock')} id="clock">
      <h2>{t('Move the clock')}</h2>
      <QueryState query={clock} skeleton={null}>
        {({ now }) => (
          <p>
            {t('For Parley it is')} <time dateTime={now}>{fullTime(new Date(now))}</time>.
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
        <div className={styles['row']}>
          <TextField
            type="number"
            label={t('Forward by')}
            min={1}
            value={amount}
            onChange={(event) => setAmount(event.target.value)}
          />
          <SelectField label={t('Unit')} value={unit} onChange={(event) => setUnit(event.target.value)}>
            {units().map(([seconds, name]) => (
              <option key={seconds} value={seconds}>
                {name}
              </option>
            ))}
          </SelectField>
        </div>
        <p className={styles['quiet']}>
          {t('Business hours, timers and retries follow it. So do sign-ins: after weeks you have to sign in again.')}
        </p>
        <FormActions>
          <Button type="submit" busy={move.isPending}>
            {t('Move the clock')}
          </Button>
          <Button variant="ghost" isDisabled={move.isPending} onPress={() => move.mutate(null)}>
            {t('Back to real time')}
          </Button>
        </FormActions>
      </form>
    </section>
  );
}
