import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { t } from '../i18n/translate.ts';
import { isAdmin } from '../session.ts';
import { classes } from '../ui/classes.ts';
import { type Icon, MEDIUM } from '../ui/icon.ts';
import {
  AppWindow,
  Bell,
  Building2,
  ChevronRight,
  CodeXml,
  Headphones,
  History,
  KeyRound,
  LockKeyhole,
  MonitorSmartphone,
  ShieldCheck,
  Sparkles,
  UserRoundX,
} from '../ui/icons/index.ts';
import { Page } from '../ui/page.tsx';
import styles from './settings.module.css';

type Entry = readonly [path: string, icon: Icon, name: string, description?: string];

const companyPages = (): readonly Entry[] =>
  isAdmin
    ? [
        ['/settings', Building2, t('Company')],
        ['/settings/activity', History, t('Activity log'), t('Who changed what')],
        ['/settings/model', Sparkles, t('Model'), t('The language model of assistants')],
        ['/settings/privacy', UserRoundX, t('Privacy'), t('Retention, export and erasure')],
        ['/settings/developers', CodeXml, t('Developers'), t('Address, references and guides')],
      ]
    : [];

/** Pages of one's own account, which have addresses of their own. */
const accountPages = (): readonly Entry[] => [
  ['/settings/phone', Headphones, t('Calls and sounds'), t('Microphone, sounds and notifications')],
  ['/settings/notifications', Bell, t('Notifications'), t('E-mails and push messages')],
  ['/api-keys', KeyRound, t('API keys'), t('For programs that use the API on your behalf.')],
  ['/connected-apps', AppWindow, t('Connected apps'), t('Apps that you have allowed to act for you.')],
  ['/security', ShieldCheck, t('Security'), t('Two-factor authentication.')],
  ['/sessions', MonitorSmartphone, t('Sessions'), t('Where you are signed in.')],
  ['/password', LockKeyhole, t('Password'), t('Change your password.')],
];

/** A page of the settings: the list of all of them at the left; on a phone the first page has it, to which the others lead back. */
export function SettingsPage(props: { title: string; path: string; children: ReactNode }): ReactNode {
  const isFirst = props.path === '/settings';
  return (
    <Page title={props.title} {...(!isFirst && { back: { href: '~/dashboard/settings', label: t('Settings') } })}>
      <div className={styles['settings']}>
        <div className={classes(styles['sections'], isFirst && styles['first'])}>
          <Entries entries={companyPages()} current={props.path} />
          <p className={styles['heading']}>{t('Your account')}</p>
          <Entries entries={accountPages()} current={props.path} />
        </div>
        <div className={styles['form']}>{props.children}</div>
      </div>
    </Page>
  );
}

function Entries(props: { entries: readonly Entry[]; current: string }): ReactNode {
  return props.entries.map(([path, Shape, name, description]) => (
    <Link
      key={path}
      href={`~/dashboard${path}`}
      className={styles['entry']}
      title={description}
      aria-current={path === props.current ? 'page' : undefined}
    >
      <Shape {...MEDIUM} />
      <span className={styles['words']}>
        {name}
        {description !== undefined && <span className={styles['description']}>{description.replace(/\.$/, '')}</span>}
      </span>
      <ChevronRight {...MEDIUM} className={styles['chevron']} />
    </Link>
  ));
}
