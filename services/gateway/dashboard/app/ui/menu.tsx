import type { ReactElement, ReactNode } from 'react';
import { Menu as AriaMenu, MenuItem as AriaItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Separator } from 'react-aria-components/Separator';
import { classes } from './classes.ts';
import { type Icon, MEDIUM } from './icon.ts';
import styles from './menu.module.css';

/** A button and the menu that it opens. */
export function Menu(props: {
  /** The button, of React Aria. */
  trigger: ReactElement;
  label: string;
  placement?: 'bottom end' | 'bottom start' | 'top start' | 'right bottom' | undefined;
  /** Above the entries, such as who is signed in. */
  heading?: ReactNode;
  children: ReactNode;
}): ReactNode {
  return (
    <MenuTrigger>
      {props.trigger}
      <Popover placement={props.placement ?? 'bottom end'} offset={4} className={styles['popover']!}>
        {props.heading !== undefined && <div className={styles['heading']}>{props.heading}</div>}
        <AriaMenu aria-label={props.label} className={styles['menu']!}>
          {props.children}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

/** An entry; destructive ones come last. */
export function MenuItem(props: {
  icon?: Icon | undefined;
  onAction?: (() => void) | undefined;
  href?: string | undefined;
  isDestructive?: boolean;
  isDisabled?: boolean;
  /** At the end, such as a shortcut. */
  detail?: ReactNode;
  children: string;
}): ReactNode {
  const { icon: Shape, onAction, href } = props;
  return (
    <AriaItem
      textValue={props.children}
      className={classes(styles['item'], props.isDestructive && styles['destructive'])}
      isDisabled={props.isDisabled ?? false}
      {...(onAction && { onAction })}
      {...(href !== undefined && { href })}
    >
      {Shape && <Shape {...MEDIUM} />}
      <span className={styles['text']}>{props.children}</span>
      {props.detail}
    </AriaItem>
  );
}

export function MenuLine(): ReactNode {
  return <Separator className={styles['line']!} />;
}
