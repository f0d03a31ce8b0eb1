import { library } from '../../tsup.shared.ts';

export default library({ index: 'src/index.ts', conformance: 'src/conformance/index.ts' });
