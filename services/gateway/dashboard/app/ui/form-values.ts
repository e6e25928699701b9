type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The values of a form's controls by name; of a checkbox `on` or nothing. */
export type FormValues = Readonly<Record<string, string>>;

export function isFormValues(value: unknown): value is FormValues {
  return typeof value === 'object' && value !== null && Object.values(value).every((one) => typeof one === 'string');
}

/** The values that differ from those at the beginning; undefined when none does. */
export function changedValues(values: FormValues, initial: FormValues): FormValues | undefined {
  const changed = Object.entries(values).filter(([name, value]) => value !== initial[name]);
  return changed.length > 0 ? Object.fromEntries(changed) : undefined;
}

export function valuesIn(form: HTMLFormElement): FormValues {
  return Object.fromEntries(controlsOf(form).map((control) => [control.name, valueOf(control)]));
}

export function showValues(form: HTMLFormElement, values: FormValues): void {
  for (const control of controlsOf(form)) {
    const value = values[control.name];
    if (value === undefined) continue;
    if (isCheckbox(control)) control.checked = value === 'on';
    else control.value = value;
  }
}

function controlsOf(form: HTMLFormElement): Control[] {
  return [...form.elements].filter((element): element is Control => isControl(element) && element.name !== '');
}

function isControl(element: Element): element is Control {
  return ['INPUT', 'TEXTAREA', 'SELECT'].includes(element.tagName);
}

function valueOf(control: Control): string {
  if (isCheckbox(control)) return control.checked ? 'on' : '';
  return control.value;
}

function isCheckbox(control: Control): control is HTMLInputElement {
  return control.type === 'checkbox';
}
