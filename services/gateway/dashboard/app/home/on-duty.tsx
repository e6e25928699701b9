import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Employee } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { Avatar } from '../ui/avatar.tsx';
import type { Tone } from '../ui/badge.tsx';
import styles from './on-duty.module.css';

const SHOWN = 8;

/** Lists employees who can take a call first. */
export function OnDuty({ employees }: { employees: readonly Employee[] }): ReactNode {
  const sorted = employees.toSorted((a, b) => rank(a.status) - rank(b.status)).slice(0, SHOWN);
  return (
    <section className={styles['duty']} aria-label={t('On duty')}>
      <header className={styles['head']}>
        <h2>{t('On duty')}</h2>
        <Link href="~/dashboard/team" className={styles['link']}>
          {t('Team')}
        </Link>
      </header>
      <ul>
        {sorted.map(({ id, name, status }) => (
          <li key={id} className={styles['person']}>
            <Avatar id={id} name={name} size={24} presence={toneOf(status)} />
            <bdi className={styles['name']}>{name}</bdi>
            <span className={styles['status']}>{wordsOf(status)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const ORDER: readonly Employee['status'][] = [
  'available',
  'ringing',
  'on_call',
  'do_not_disturb',
  'logged_out',
  'unknown',
];

const rank = (status: Employee['status']) => ORDER.indexOf(status);

function toneOf(status: Employee['status']): Tone {
  if (status === 'available') return 'good';
  if (status === 'on_call' || status === 'ringing') return 'accent';
  return status === 'do_not_disturb' ? 'warn' : 'neutral';
}

function wordsOf(status: Employee['status']): string {
  switch (status) {
    case 'available':
      return t('Available');
    case 'on_call':
      return t('On a call');
    case 'ringing':
      return t('Ringing');
    case 'do_not_disturb':
      return t('Do not disturb');
    default:
      return t('Away');
  }
}
