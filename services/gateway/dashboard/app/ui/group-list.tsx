import { type ReactNode, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { Fields } from './form.tsx';
import styles from './group-list.module.css';
import { Plus, Trash2 } from './icons/index.ts';

/** Parts of a form that are alike: one adds to them, and each can be removed. */
export function GroupList<Item extends { readonly key: string }>(props: {
  items: readonly Item[];
  itemsMax: number;
  onChange: (items: readonly Item[]) => void;
  nameOf: (item: Item) => string;
  /** An attribute to find its group by. */
  markOf?: (item: Item) => string;
  /** What the buttons say. */
  removeText: (item: Item) => string;
  addText: string;
  create: (key: string) => Item;
  /** What is wrong with all of them together. */
  problem?: ReactNode;
  /** The fields of a group. `isNew`: it was just added, its first field gets the focus. */
  children: (item: Item, isNew: boolean, index: number, onChange: (item: Item) => void) => ReactNode;
}): ReactNode {
  const { items, onChange } = props;
  const add = useRef<HTMLButtonElement>(null);
  const [added, setAdded] = useState('');
  return (
    <>
      {items.map((item, index) => (
        <fieldset key={item.key} className={styles['group']} data-mark={props.markOf?.(item)}>
          <legend className={styles['name']}>
            <bdi>{props.nameOf(item)}</bdi>
          </legend>
          <Fields>
            {props.children(item, item.key === added, index, (changed) => onChange(items.with(index, changed)))}
            <div>
              <Button
                variant="ghost"
                size="s"
                icon={Trash2}
                onPress={() => {
                  onChange(items.toSpliced(index, 1));
                  add.current?.focus();
                }}
              >
                {props.removeText(item)}
              </Button>
            </div>
          </Fields>
        </fieldset>
      ))}
      {props.problem}
      <div>
        <Button
          ref={add}
          variant="ghost"
          size="s"
          icon={Plus}
          isDisabled={items.length >= props.itemsMax}
          onPress={() => {
            const key = crypto.randomUUID();
            setAdded(key);
            onChange([...items, props.create(key)]);
          }}
        >
          {props.addText}
        </Button>
      </div>
    </>
  );
}
