import { type ReactNode, useEffect, useState } from 'react';
import { t } from '../i18n/translate.ts';
import { SelectField } from '../ui/field.tsx';
import { chosenMicrophone } from './phone-audio.ts';
import { softphone } from './softphone.ts';

/** The device that is heard. Names of devices are known only once the microphone was allowed. */
export function MicrophoneChoice(): ReactNode {
  const [devices, setDevices] = useState<readonly MediaDeviceInfo[]>([]);
  const [chosen, setChosen] = useState(chosenMicrophone);
  useEffect(() => {
    const { mediaDevices } = navigator;
    const read = () =>
      void mediaDevices.enumerateDevices().then((all) => setDevices(all.filter(({ kind }) => kind === 'audioinput')));
    read();
    mediaDevices.addEventListener('devicechange', read);
    return () => mediaDevices.removeEventListener('devicechange', read);
  }, []);
  return (
    <SelectField
      label={t('Microphone')}
      value={chosen}
      onChange={(event) => {
        setChosen(event.target.value);
        void softphone.useMicrophone(event.target.value);
      }}
    >
      <option value="">{t('Default')}</option>
      {devices
        .filter(({ deviceId }) => deviceId !== '' && deviceId !== 'default')
        .map(({ deviceId, label }) => (
          <option key={deviceId} value={deviceId}>
            {label || t('Microphone')}
          </option>
        ))}
    </SelectField>
  );
}
