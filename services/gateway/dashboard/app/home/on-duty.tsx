import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Employee } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { presenceTone } from '../team/employee-status.ts';
import { Avatar } from '../ui/avatar.tsx';
import text from '../ui/text.module.css';
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
        {sorted.map((employee) => (
          <li key={employee.id} className={styles['person']}>
            <Avatar id={employee.id} name={employee.name} size={24} presence={presenceTone(employee)} />
            <bdi className={styles['name']}>{employee.name}</bdi>
            <span className={text['meta']}>{wordsOf(employee.status)}</span>
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

function wordsOf(status: Employee['status']): string {
  const words: Readonly<Record<string, string>> = {
    available: t('Available'),
    on_call: t('On a call'),
    ringing: t('Ringing'),
    do_not_disturb: t('Do not disturb'),
  };
  return words[status] ?? t('Away');
}
