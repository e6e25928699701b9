export interface ChoiceOption {
  readonly value: string;
  readonly label: string;
  readonly detail?: string | undefined;
}
