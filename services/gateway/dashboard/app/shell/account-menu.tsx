import { type ReactNode, useRef } from 'react';
import { useLocation } from 'wouter';
import { chooseLanguage, language, LANGUAGES, type Language } from '../i18n/locale.ts';
import { t } from '../i18n/translate.ts';
import { session } from '../session.ts';
import { Avatar } from '../ui/avatar.tsx';
import { MEDIUM } from '../ui/icon.ts';
import {
  Ellipsis,
  Keyboard,
  KeyRound,
  Languages,
  LogOut,
  Moon,
  MonitorSmartphone,
  ShieldCheck,
  Sun,
} from '../ui/icons/index.ts';
import { forgetUnsavedEdits } from '../ui/unsaved-edits.ts';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import styles from './account-menu.module.css';
import { type Theme, theme, useTheme } from './theme.ts';

const THEMES: readonly [Theme, string][] = [
  ['system', 'Colours of the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

/** The employee's name, and what concerns the account and this browser. */
export function AccountMenu({ onHelp }: { onHelp: () => void }): ReactNode {
  const [, navigate] = useLocation();
  const current = useTheme();
  const signOut = useRef<HTMLFormElement>(null);
  const name = session.name || session.email;
  function leave(): void {
    const token = signOut.current?.elements.namedItem('form_token');
    if (token instanceof HTMLInputElement) token.value = session.signOutToken;
    signOut.current?.requestSubmit();
  }
  const nextTheme = THEMES[(THEMES.findIndex(([one]) => one === current) + 1) % THEMES.length]!;
  const languages = Object.keys(LANGUAGES) as Language[];
  return (
    <div className={styles['account']}>
      <Menu
        label={name}
        heading={<bdi>{session.email}</bdi>}
        buttonClass={styles['button']!}
        button={
          <>
            <Avatar id={session.employeeId} name={name} size={24} />
            <bdi className={styles['name']}>{name}</bdi>
            <Ellipsis {...MEDIUM} />
          </>
        }
      >
        <MenuItem icon={ShieldCheck} onAction={() => navigate('/security')}>
          {t('Security')}
        </MenuItem>
        <MenuItem icon={MonitorSmartphone} onAction={() => navigate('/sessions')}>
          {t('Sessions')}
        </MenuItem>
        <MenuItem icon={KeyRound} onAction={() => navigate('/api-keys')}>
          {t('API keys')}
        </MenuItem>
        <MenuLine />
        <MenuItem icon={nextTheme[0] === 'dark' ? Moon : Sun} onAction={() => theme.choose(nextTheme[0])}>
          {t('Colours: {next}', { next: t(nextTheme[1]) })}
        </MenuItem>
        {languages
          .filter((one) => one !== language)
          .map((one) => (
            <MenuItem
              key={one}
              icon={Languages}
              onAction={() => {
                chooseLanguage(one);
                location.reload();
              }}
            >
              {LANGUAGES[one]}
            </MenuItem>
          ))}
        <MenuItem icon={Keyboard} onAction={onHelp} detail="?">
          {t('Keyboard shortcuts')}
        </MenuItem>
        <MenuLine />
        <MenuItem icon={LogOut} onAction={leave}>
          {t('Sign out')}
        </MenuItem>
      </Menu>
      <form ref={signOut} method="post" action="/signout" hidden onSubmit={forgetUnsavedEdits}>
        <input type="hidden" name="form_token" defaultValue={session.signOutToken} />
      </form>
    </div>
  );
}
