import { library } from '../../tsup.shared.ts';

export default library({ index: 'src/index.ts', testing: 'src/testing/index.ts' });
