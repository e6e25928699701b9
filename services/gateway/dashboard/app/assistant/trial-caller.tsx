import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { t } from '../i18n/translate.ts';
import { instantIn } from '../i18n/zoned-time.ts';
import { businessNumberQuery } from '../numbers/business-number-queries.ts';
import { Button } from '../ui/button.tsx';
import { MomentField, TextField } from '../ui/field.tsx';
import { Fields } from '../ui/form.tsx';
import styles from './try-it.module.css';

/** Who calls, and when, as the API takes it; somebody without a number, and now, unless given. */
export interface TrialCaller {
  readonly phone?: string;
  readonly at?: string;
}

/** A conversation as another caller or at another time: details that most trials do not need. */
export function TrialCallerForm(props: { numberId: string; onChange: (caller: TrialCaller) => void }): ReactNode {
  const { data: number } = useQuery(businessNumberQuery(props.numberId));
  const [phone, setPhone] = useState('');
  const [time, setTime] = useState('');
  function submit(event: FormEvent): void {
    event.preventDefault();
    const at = number && instantIn(number.timezone, time);
    props.onChange({ ...(phone.trim() !== '' && { phone: phone.trim() }), ...(at && { at: at.toISOString() }) });
  }
  return (
    <details className={styles['details']}>
      <summary>{t('Caller and time')}</summary>
      <form onSubmit={submit}>
        <Fields>
          <TextField
            label={t('Number of the caller')}
            hint={t('A contact is greeted by name.')}
            type="tel"
            maxLength={40}
            value={phone}
            onChange={({ target }) => setPhone(target.value)}
          />
          <MomentField
            label={t('Time of the call')}
            hint={number?.timezone.replaceAll('_', ' ')}
            emptyText={t('Now')}
            value={time}
            onChange={({ target }) => setTime(target.value)}
          />
          <div>
            <Button type="submit" size="s">
              {t('Call like this')}
            </Button>
          </div>
        </Fields>
      </form>
    </details>
  );
}
