import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { businessNumbersQuery } from '../api/shared-queries.ts';
import { t } from '../i18n/translate.ts';
import { Choice } from '../ui/choice.tsx';
import { classes } from '../ui/classes.ts';
import { MEDIUM } from '../ui/icon.ts';
import { Delete, Phone } from '../ui/icons/index.ts';
import box from '../ui/input-box.module.css';
import { Keypad } from '../ui/keypad.tsx';
import { Name } from '../ui/text.tsx';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { closeDialler } from './dialler-state.ts';
import styles from './dialler.module.css';
import { usePeople } from './phone-queries.ts';
import { softphone } from './softphone.ts';

/** Calls somebody by number or by name. Choosing a person fills in the number; only *Call* rings. */
export function Dialler(props: { isBusy: boolean; isActive: boolean }): ReactNode {
  const [typed, setTyped] = useState('');
  const { data: numbers = [] } = useQuery(businessNumbersQuery);
  const [chosen, setChosen] = useState('');
  const from = numbers.find(({ id }) => id === chosen) ?? numbers[0];
  // The typed number stays until the call is answered, because it may fail.
  if (props.isActive && typed !== '') setTyped('');
  const isName = /\p{L}/u.test(typed);
  const { data: people = [] } = usePeople(typed);
  const canCall = !props.isBusy && from !== undefined && typed.trim() !== '' && !isName;
  function dial(event: FormEvent): void {
    event.preventDefault();
    if (!canCall) return;
    closeDialler();
    softphone.dial(typed, from.number);
  }
  return (
    <form onSubmit={dial} className={styles['form']}>
      <div className={classes(box['box'], styles['field'])}>
        <input
          className={classes(box['input'], styles['input'])}
          aria-label={t('Number to call')}
          placeholder={t('Name or number')}
          type="text"
          inputMode="tel"
          autoComplete="off"
          maxLength={64}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <button
          type="button"
          className={styles['delete']}
          aria-label={t('Delete')}
          onClick={() => setTyped(typed.slice(0, -1))}
        >
          <Delete {...MEDIUM} />
        </button>
        <button type="submit" className={styles['call']} aria-label={t('Call')} title={t('Call')} disabled={!canCall}>
          <Phone {...MEDIUM} />
          <span className={styles['word']}>{t('Call')}</span>
        </button>
      </div>
      {people.length > 0 && (
        <ul className={styles['people']} aria-label={t('People')}>
          {people.map(({ id, name, phone }) => (
            <li key={id}>
              <button type="button" className={styles['person']} onClick={() => setTyped(phone)}>
                {name && <Name>{name}</Name>} <PhoneNumber value={phone} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className={styles['from']} hidden={numbers.length === 0}>
        <Choice
          label={t('Call from')}
          hideLabel
          look="quiet"
          value={from?.id ?? ''}
          onChange={setChosen}
          options={numbers.map(({ id, name, number_formatted: formatted }) => ({
            value: id,
            label: name,
            detail: formatted,
          }))}
        />
      </div>
      <div className={styles['keys']}>
        <Keypad label={t('Keys to dial')} size="l" onPress={(key) => setTyped(typed + key)} />
      </div>
    </form>
  );
}
