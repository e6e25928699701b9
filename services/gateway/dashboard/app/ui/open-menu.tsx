import { Children, isValidElement, type ReactElement, type ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Menu as AriaMenu, MenuItem as AriaItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Separator } from 'react-aria-components/Separator';
import { MEDIUM } from './icon.ts';
import { MenuItem, type MenuItemProps, type MenuProps } from './menu-item.tsx';
import styles from './menu.module.css';

/** A menu that has been opened, and may be closed and opened again. */
export default function OpenMenu(props: MenuProps): ReactNode {
  return (
    <MenuTrigger defaultOpen>
      <Button className={props.buttonClass}>{props.button}</Button>
      <Popover placement="top start" offset={4} className={styles['popover']!}>
        {props.heading !== undefined && <div className={styles['heading']}>{props.heading}</div>}
        <AriaMenu aria-label={props.label} className={styles['menu']!}>
          {Children.toArray(props.children).map((child, index) =>
            isItem(child) ? (
              <Entry key={child.key ?? index} {...child.props} />
            ) : (
              <Separator key={`line ${index}`} className={styles['line']!} />
            ),
          )}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

function Entry({ icon: Shape, onAction, detail, children }: MenuItemProps): ReactNode {
  return (
    <AriaItem textValue={children} className={styles['item']!} onAction={onAction}>
      <Shape {...MEDIUM} />
      <span className={styles['text']}>{children}</span>
      {detail}
    </AriaItem>
  );
}

function isItem(child: ReactNode): child is ReactElement<MenuItemProps> {
  return isValidElement(child) && child.type === MenuItem;
}
