import type { ReactNode } from 'react';
import { Tab, TabList, Tabs as AriaTabs } from 'react-aria-components/Tabs';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { Count } from './badge.tsx';
import styles from './tabs.module.css';

interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly count?: number | undefined;
}

interface OptionsProps<Value extends string> {
  readonly label: string;
  readonly options: readonly Option<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** Changes the list that is shown. */
export function Tabs<Value extends string>({ label, options, value, onChange }: OptionsProps<Value>): ReactNode {
  return (
    <AriaTabs selectedKey={value} onSelectionChange={(key) => onChange(key as Value)}>
      <TabList aria-label={label} className={styles['tabs']!}>
        {options.map((option) => (
          <Tab key={option.value} id={option.value} className={styles['tab']!}>
            {option.label}
            {option.count !== undefined && <Count value={option.count} quiet />}
          </Tab>
        ))}
      </TabList>
    </AriaTabs>
  );
}

/** Changes the view of the same thing. */
export function Segments<Value extends string>({ label, options, value, onChange }: OptionsProps<Value>): ReactNode {
  return (
    <ToggleButtonGroup
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        for (const key of keys) onChange(key as Value);
      }}
      className={styles['segments']!}
    >
      {options.map((option) => (
        <ToggleButton key={option.value} id={option.value} className={styles['segment']!}>
          {option.label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
