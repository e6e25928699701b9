import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { ComboBox, ListBoxItem } from 'react-aria-components/ComboBox';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Text } from 'react-aria-components/Text';
import styles from './choice.module.css';
import { MEDIUM, SMALL } from './icon.ts';
import { Check, ChevronDown } from './icons/index.ts';
import box from './input-box.module.css';
import text from './text.module.css';
import type { ChoiceOption } from './visible-options.ts';

/** A choice of one of many, which are searched by typing. */
export default function SearchedChoice(props: {
  label: string;
  options: readonly ChoiceOption[];
  value: string;
  onChange: (value: string) => void;
  hideLabel?: boolean;
  isDisabled?: boolean;
}): ReactNode {
  const { label, options, value, onChange, hideLabel } = props;
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
      <Label className={hideLabel ? text['unseen']! : styles['label']!}>{label}</Label>
      <span className={box['box']}>
        <Input className={box['input']!} />
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
