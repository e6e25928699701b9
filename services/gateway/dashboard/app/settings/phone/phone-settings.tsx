import { type ReactNode, useState } from 'react';
import { t } from '../../i18n/translate.ts';
import { MicrophoneChoice } from '../../phone/microphone-choice.tsx';
import { chooseAudible, isAudible, Ringer } from '../../phone/ringer.ts';
import { Button } from '../../ui/button.tsx';
import { Bell, Volume2 } from '../../ui/icons/index.ts';
import { Section } from '../../ui/page.tsx';
import { Switch } from '../../ui/switch.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { SupervisionNotice } from '../supervision.tsx';
import { MicrophoneTest } from './microphone-test.tsx';
import { OwnCalls } from './own-calls.tsx';
import styles from './phone-settings.module.css';

/** The phone of this browser: what it hears, how it rings. */
export function PhoneSettings(): ReactNode {
  return (
    <SettingsPage title={t('Calls and sounds')} path="/settings/phone">
      <Section title={t('Microphone')} description={t('For calls in this browser.')}>
        <MicrophoneChoice />
        <MicrophoneTest />
      </Section>
      <OwnCalls />
      <SupervisionNotice />
      <Sounds />
      <WindowNotifications />
    </SettingsPage>
  );
}

function Sounds(): ReactNode {
  const [audible, setAudible] = useState(isAudible);
  const [ringer] = useState(() => new Ringer());
  return (
    <Section title={t('Sounds')}>
      <div className={styles['row']}>
        <Switch
          label={t('Ring when somebody calls')}
          checked={audible}
          onChange={(isOn) => {
            chooseAudible(isOn);
            setAudible(isOn);
          }}
        />
        <Button size="s" icon={Volume2} onPress={() => ringer.try()}>
          {t('Listen')}
        </Button>
      </div>
    </Section>
  );
}

/** Notifications of calls while another window is in front. */
function WindowNotifications(): ReactNode {
  const [permission, setPermission] = useState(() => ('Notification' in window ? Notification.permission : 'denied'));
  return (
    <Section
      title={t('Notifications in this browser')}
      description={t('Say who calls while you work in another window.')}
    >
      {permission === 'default' ? (
        <Button icon={Bell} onPress={() => void Notification.requestPermission().then(setPermission)}>
          {t('Allow notifications')}
        </Button>
      ) : (
        <p role="status">
          {permission === 'granted'
            ? t('Notifications are allowed.')
            : t('Notifications are blocked. Allow them for this site in your browser.')}
        </p>
      )}
    </Section>
  );
}
