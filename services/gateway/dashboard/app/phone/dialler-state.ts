import { createStore } from '../ui/store.ts';

/** The open state where there is no space for the dialler: beside the rail, and on a phone. */
const isOpen = createStore(false);

export const toggleDialler = (): void => isOpen.set(!isOpen.get());
export const closeDialler = (): void => isOpen.set(false);
export const useDialler = isOpen.useValue;
