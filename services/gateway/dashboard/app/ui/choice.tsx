import { Check, ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components';
import { SelectField } from './field.tsx';
import { MEDIUM, SMALL } from './icon.ts';
import styles from './choice.module.css';

export interface ChoiceOption {
  readonly value: string;
  readonly label: string;
  readonly detail?: string | undefined;
}

/** From this many options on they are searched. */
const SEARCHED_MIN = 8;

/** A choice of one; searchable when there are many. */
export function Choice(props: {
  label: string;
  options: readonly ChoiceOption[];
  value: string;
  onChange: (value: string) => void;
  hideLabel?: boolean;
  look?: 'field' | 'quiet' | 'chip';
  isRequired?: boolean;
  isDisabled?: boolean;
}): ReactNode {
  const { label, options, value, onChange, hideLabel, look = 'field' } = props;
  if (options.length < SEARCHED_MIN) {
    return (
      <SelectField
        label={label}
        hideLabel={hideLabel}
        look={look}
        value={value}
        required={props.isRequired}
        disabled={props.isDisabled}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.detail ? `${option.label} (${option.detail})` : option.label}
          </option>
        ))}
      </SelectField>
    );
  }
  return (
    <ComboBox
      className={styles['choice']!}
      selectedKey={value}
      onSelectionChange={(key) => {
        if (key !== null) onChange(String(key));
      }}
      menuTrigger="focus"
      isDisabled={props.isDisabled ?? false}
      defaultItems={options.map((option) => ({ id: option.value, ...option }))}
    >
      <Label className={hideLabel ? styles['hidden']! : styles['label']!}>{label}</Label>
      <span className={styles['control']}>
        <Input className={styles['input']!} />
        <Button className={styles['open']!}>
          <ChevronDown {...SMALL} />
        </Button>
      </span>
      <Popover className={styles['popover']!} offset={4}>
        <ListBox<ChoiceOption & { id: string }> className={styles['list']!}>
          {(option) => (
            <ListBoxItem
              className={styles['option']!}
              textValue={option.detail ? `${option.label} (${option.detail})` : option.label}
            >
              <Text slot="label">{option.label}</Text>
              {option.detail && (
                <Text slot="description" className={styles['detail']!}>
                  {option.detail}
                </Text>
              )}
              {option.value === value && <Check {...MEDIUM} />}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
