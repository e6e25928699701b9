import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Link, useLocation } from 'wouter';
import { companyQuery, unseenQuery } from '../api/shared-queries.ts';
import { t } from '../i18n/translate.ts';
import { Grip, Menu as MenuIcon, Search } from '../ui/icons/index.ts';
import { useShortcut } from '../ui/shortcuts.ts';
import { Count, Kbd } from '../ui/badge.tsx';
import { classes } from '../ui/classes.ts';
import { MEDIUM } from '../ui/icon.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { toggleDialler } from '../phone/dialler-state.ts';
import styles from './navigation.module.css';
import { ACCOUNT_PAGES, type Section, sections } from './sections.ts';

const GROUPS = [
  ['work', undefined],
  ['company', 'Company'],
  ['setup', 'Set up'],
] as const;

export function Navigation({ onSearch }: { onSearch: () => void }): ReactNode {
  const { data: company } = useQuery(companyQuery);
  return (
    <nav aria-label="Dashboard" className={styles['nav']}>
      <p className={styles['company']}>
        <Mark />
        <bdi className={styles['company-name']}>{company?.name ?? 'Parley'}</bdi>
      </p>
      <Button className={styles['search']!} onPress={onSearch}>
        <Search {...MEDIUM} />
        <span className={styles['word']}>{t('Search')}</span>
        <span className={styles['keys']}>
          <Kbd>Ctrl K</Kbd>
        </span>
      </Button>
      {GROUPS.map(([group, heading]) => (
        <div key={group} className={styles['group']}>
          {heading && <p className={styles['heading']}>{t(heading)}</p>}
          <ul>
            {sections
              .filter((section) => section.group === group)
              .map((section) => (
                <li key={section.path} className={section.isTab ? styles['tab'] : styles['not-tab']}>
                  <SectionLink section={section} />
                </li>
              ))}
          </ul>
        </div>
      ))}
      <div className={styles['phone-tabs']}>
        <button type="button" className={styles['link']} onClick={toggleDialler}>
          <Grip {...MEDIUM} />
          <span className={styles['word']}>{t('Dial')}</span>
        </button>
        <MoreMenu />
      </div>
    </nav>
  );
}

function SectionLink({ section }: { section: Section }): ReactNode {
  const { path, name, icon: Shape, letter, Pages } = section;
  const [location, navigate] = useLocation();
  const current = isCurrent(section, location) ? 'page' : undefined;
  const { data: unseen } = useQuery({ ...unseenQuery, enabled: path === '/inbox' });
  const count = path === '/inbox' ? (unseen?.unseen_count ?? 0) : 0;
  useShortcut(`g ${letter}`, () => navigate(path));
  // What fails is tried again when the section is opened.
  const loadSoon = () => void Pages.load?.().catch(() => undefined);
  return (
    <Link
      href={path}
      className={classes(styles['link'], current && styles['current'])}
      aria-current={current}
      aria-label={count > 0 ? t('{name}, {count} unseen', { name: t(name), count }) : undefined}
      title={t(name)}
      onPointerEnter={loadSoon}
      onFocus={loadSoon}
    >
      <Shape {...MEDIUM} />
      <span className={styles['word']}>{t(name)}</span>
      {count > 0 && (
        <span className={styles['count']}>
          <Count value={count} isDrawn />
        </span>
      )}
    </Link>
  );
}

/** On a phone: the sections that have no tab. */
function MoreMenu(): ReactNode {
  const [location, navigate] = useLocation();
  const others = sections.filter(({ isTab }) => !isTab);
  const isHere = others.some((section) => isCurrent(section, location));
  return (
    <Menu
      label={t('More')}
      buttonClass={classes(styles['link'], isHere && styles['current'])}
      button={
        <>
          <MenuIcon {...MEDIUM} />
          <span className={styles['word']}>{t('More')}</span>
        </>
      }
    >
      {others.map(({ path, name, icon }) => (
        <MenuItem key={path} icon={icon} onAction={() => navigate(path)}>
          {t(name)}
        </MenuItem>
      ))}
    </Menu>
  );
}

function isCurrent({ path }: Section, location: string): boolean {
  if (path === '/settings' && ACCOUNT_PAGES.includes(location)) return true;
  return location === path || location.startsWith(`${path}/`);
}

/** The sign of the product: two halves of a conversation. */
function Mark(): ReactNode {
  return (
    <svg className={styles['mark']} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M11 2.5v13a6.5 6.5 0 0 1 0-13Z" />
      <path d="M13 8.5v13a6.5 6.5 0 0 0 0-13Z" opacity=".62" />
    </svg>
  );
}
