import { type ReactNode, useState } from 'react';
import { t } from '../i18n/translate.ts';
import { Kbd } from '../ui/badge.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { chooseLetters, usesLetters } from '../ui/shortcuts.ts';
import { Switch } from '../ui/switch.tsx';
import styles from './shortcuts-help.module.css';

const GROUPS: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'Everywhere',
    [
      ['Ctrl K', 'Search and commands'],
      ['/', 'Search of the page'],
      ['G, then a letter', 'Go to a page: I inbox, C calls, P contacts, N numbers, T team, R reports'],
      ['?', 'This list'],
    ],
  ],
  [
    'Phone',
    [
      ['Alt A', 'Answer'],
      ['Alt M', 'Mute'],
      ['Alt H', 'Hold'],
      ['Alt Backspace', 'Hang up'],
      ['D', 'Do not disturb'],
    ],
  ],
  [
    'Inbox',
    [
      ['J, K', 'Next and previous thread'],
      ['E', 'Mark as done, or open again'],
      ['C', 'Call'],
      ['T', 'Write a text'],
      ['Ctrl Enter', 'Send'],
      ['Esc', 'Back to the list'],
    ],
  ],
];

export default function ShortcutsHelp({ onClose }: { onClose: () => void }): ReactNode {
  const [letters, setLetters] = useState(usesLetters);
  return (
    <Dialog title={t('Keyboard shortcuts')} size="l" onClose={onClose}>
      {GROUPS.map(([heading, entries]) => (
        <section key={heading} className={styles['group']}>
          <h3>{t(heading)}</h3>
          <dl>
            {entries.map(([keys, what]) => (
              <div key={keys} className={styles['entry']}>
                <dt>{t(what)}</dt>
                <dd>
                  <Kbd>{t(keys)}</Kbd>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <Switch
        label={t('Shortcuts of a single letter')}
        checked={letters}
        onChange={(isOn) => {
          chooseLetters(isOn);
          setLetters(isOn);
        }}
      />
    </Dialog>
  );
}
