import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { session } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/copy-text.ts';
import { TextField } from '../ui/field.tsx';
import { Copy } from '../ui/icons/index.ts';
import { Section } from '../ui/page.tsx';
import text from '../ui/text.module.css';
import styles from './developers.module.css';
import { SettingsPage } from './settings-page.tsx';

const documents = () =>
  [
    ['/docs', t('API reference'), t('Every operation, to try in the browser')],
    ['/docs/events', t('Event reference'), t('What webhooks and the event log contain')],
    ['/docs/guides', t('Guides'), t('From the first request to tests of your own')],
  ] as const;

/** Where programs reach the API, and what their developers read. */
export function Developers(): ReactNode {
  const { baseUrl } = session;
  return (
    <SettingsPage title={t('Developers')} path="/settings/developers">
      <Section title={t('API')} description={t('Where programs reach this installation.')}>
        <CopiedField label={t('Base address')} value={baseUrl} copyLabel={t('Copy')} />
      </Section>
      <Section title={t('Command line')} description={t('Follow events on your own machine, and send any request.')}>
        <CopiedField
          label={t('Command to sign in')}
          value={`npx @parley/cli login --url ${baseUrl}`}
          copyLabel={t('Copy command')}
        />
      </Section>
      <Section title={t('Documentation')}>
        <ul className={styles['documents']}>
          {documents().map(([path, name, description]) => (
            <li key={path}>
              <a href={path} target="_blank" rel="noreferrer" className={text['link']}>
                {name}
              </a>
              <span className={text['meta']}>{description}</span>
            </li>
          ))}
        </ul>
      </Section>
    </SettingsPage>
  );
}

function CopiedField(props: { label: string; value: string; copyLabel: string }): ReactNode {
  return (
    <div className={styles['copied']}>
      <TextField
        label={props.label}
        readOnly
        spellCheck={false}
        value={props.value}
        onFocus={({ target }) => target.select()}
      />
      <Button icon={Copy} onPress={() => copyText(props.value)}>
        {props.copyLabel}
      </Button>
    </div>
  );
}
