import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import type { MenuProps } from './menu-item.tsx';

export { MenuItem, MenuLine } from './menu-item.tsx';

/** Its code is loaded when a menu is opened for the first time. */
const OpenMenu = lazy(() => import('./open-menu.tsx'));

/** A button and the menu that it opens. */
export function Menu(props: MenuProps): ReactNode {
  const [isNeeded, setIsNeeded] = useState(false);
  const button = (
    <Button className={props.buttonClass} aria-haspopup="menu" aria-expanded={false} onPress={() => setIsNeeded(true)}>
      {props.button}
    </Button>
  );
  if (!isNeeded) return button;
  return (
    <Suspense fallback={button}>
      <OpenMenu {...props} />
    </Suspense>
  );
}
