/** [pure] Scripts by which a shell completes command lines of `dsh`, from the table that `--help` is made of. */
import type { Command, Option } from 'commander';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** One command, and what may follow it. */
interface Place {
  /** Such as ` sessions list`; empty for the program itself. */
  readonly path: string;
  readonly words: readonly Word[];
  readonly options: readonly CompletedOption[];
}

interface Word {
  readonly text: string;
  readonly description: string;
}

interface CompletedOption extends Word {
  /** What follows it; nothing where it takes no value. */
  readonly value?: 'file' | 'folder' | 'any' | readonly string[];
}

/** `program`: with all of its commands. */
export function completionScript(shell: Shell, program: Command): string {
  const places = placesOf(program, '');
  return { bash, zsh, fish }[shell](places);
}

function placesOf(command: Command, path: string): readonly Place[] {
  const { commands } = command;
  const given = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const words = [
    ...commands.map((one) => ({ text: one.name(), description: one.description() })),
    ...given.map((text) => ({ text, description: '' })),
  ];
  const options = command.options.filter(({ hidden }) => !hidden).map(optionOf);
  return [
    { path, words, options: [...options, { text: '--help', description: 'display help for command' }] },
    ...commands.flatMap((one) => placesOf(one, `${path} ${one.name()}`)),
  ];
}

function optionOf({ long, flags, description, argChoices }: Option): CompletedOption {
  const option = { text: long ?? flags, description };
  if (argChoices !== undefined) return { ...option, value: argChoices };
  const [, kind] = /[<[]([^>\]]+)[>\]]$/.exec(flags) ?? [];
  if (kind === undefined) return option;
  return { ...option, value: kind === 'dir' ? 'folder' : kind === 'file' ? 'file' : 'any' };
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const pathsOf = (places: readonly Place[]): string =>
  places.flatMap(({ path }) => (path === '' ? [] : [quoted(path)])).join('|');
const allWords = ({ words, options }: Place): readonly string[] =>
  [...words, ...options].map(({ text }) => text);

/** The cases of what follows an option that takes a value, for the two shells that are alike. */
function valueCases(
  places: readonly Place[],
  run: Readonly<Record<'file' | 'folder' | 'any', string>> & {
    readonly words: (words: readonly string[]) => string;
  },
): string {
  const cases = places.flatMap(({ path, options }) =>
    options.flatMap(({ text, value }) => {
      if (value === undefined) return [];
      const command = typeof value === 'string' ? run[value] : run.words(value);
      return [`    ${quoted(`${path} ${text}`)}) ${command}; return;;`];
    }),
  );
  return cases.join('\n');
}

function bash(places: readonly Place[]): string {
  const reply = (flags: string): string => `mapfile -t COMPREPLY < <(compgen ${flags} -- "$cur")`;
  const words = places.map(
    (place) => `    ${quoted(place.path)}) ${reply(`-W ${quoted(allWords(place).join(' '))}`)};;`,
  );
  const values = valueCases(places, {
    file: `compopt -o filenames 2>/dev/null; ${reply('-f')}`,
    folder: `compopt -o filenames 2>/dev/null; ${reply('-d')}`,
    any: ':',
    words: (choices) => reply(`-W ${quoted(choices.join(' '))}`),
  });
  return `# Completes dsh in bash: eval "$(dsh completion bash)"
_dsh() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" place= at
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "$place \${COMP_WORDS[at]}" in
    ${pathsOf(places)}) place="$place \${COMP_WORDS[at]}";;
    esac
  done
  case "$place $prev" in
${values}
  esac
  case "$place" in
${words.join('\n')}
  esac
}
complete -F _dsh dsh
`;
}

function zsh(places: readonly Place[]): string {
  const add = (texts: readonly string[]): string => `compadd -- ${texts.map(quoted).join(' ')}`;
  const words = places.map((place) => `    ${quoted(place.path)}) ${add(allWords(place))};;`);
  const values = valueCases(places, { file: '_files', folder: '_files -/', any: ':', words: add });
  return `#compdef dsh
# Completes dsh in zsh: after compinit, eval "$(dsh completion zsh)"
_dsh() {
  local place= at
  for ((at = 2; at < CURRENT; at++)); do
    case "$place \${words[at]}" in
    ${pathsOf(places)}) place="$place \${words[at]}";;
    esac
  done
  case "$place \${words[CURRENT-1]}" in
${values}
  esac
  case "$place" in
${words.join('\n')}
  esac
}
compdef _dsh dsh
`;
}

function fish(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, words, options }) => {
    const here = `complete -c dsh -n ${quoted(`__dsh_at "${path}"`)}`;
    return [
      ...words.map(({ text, description }) => `${here} -a ${text} -d ${fishText(description)}`),
      ...options.map(
        ({ text, description, value }) =>
          `${here} -l ${text.replace(/^--/, '')}${fishValue(value)} -d ${fishText(description)}`,
      ),
    ];
  });
  return `# Completes dsh in fish: dsh completion fish | source
function __dsh_at
  set -l place ''
  for word in (commandline -opc)[2..-1]
    switch "$place $word"
    case ${pathsOf(places).replaceAll('|', ' ')}
      set place "$place $word"
    end
  end
  test "$place" = "$argv[1]"
end
complete -c dsh -f
${lines.join('\n')}
`;
}

const fishText = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;

function fishValue(value: CompletedOption['value']): string {
  if (value === undefined) return '';
  if (value === 'file') return ' -r -F';
  if (value === 'folder') return " -x -a '(__fish_complete_directories)'";
  return value === 'any' ? ' -x' : ` -x -a ${fishText(value.join(' '))}`;
}
