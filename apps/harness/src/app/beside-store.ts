/** [pure] The files of this program that lie beside a store. No tool reads or writes them. */

/** What the cookie of the inspector follows from. */
export function inspectorKeyFile(store: string): string {
  return `${store}.inspector-key`;
}

/** What a person has typed into a chat. */
export function historyFile(store: string): string {
  return `${store}.history`;
}
