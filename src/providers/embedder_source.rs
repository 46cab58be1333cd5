//! Where an embedder is: at a server, or in files of a model.

use std::path::PathBuf;
use std::sync::Arc;

use super::embedder::Embedder;
use super::{EmbeddingsConfig, OpenAiEmbeddings};

/// Where an embedder is.
#[derive(Debug, Clone)]
pub enum EmbedderSource {
    /// A server.
    Server(EmbeddingsConfig),
    /// The files of a model, which runs in this process.
    Directory {
        /// Where they are.
        path: PathBuf,
        /// How many numbers its vectors must have, if somebody wrote that down.
        dimensions: Option<usize>,
    },
}

impl EmbedderSource {
    /// Returns how it is called to people.
    pub fn name(&self) -> String {
        match self {
            Self::Server(server) => server.model.clone(),
            Self::Directory { path, .. } => {
                let name = path.file_name().unwrap_or(path.as_os_str());
                name.to_string_lossy().into_owned()
            }
        }
    }

    /// Makes a client, or loads the model; a server is not asked yet.
    ///
    /// # Errors
    /// Fails when the model cannot be loaded, with words for the operator.
    pub async fn open(&self) -> anyhow::Result<Arc<dyn Embedder>> {
        match self {
            Self::Server(server) => Ok(Arc::new(OpenAiEmbeddings::new(server.clone())?)),
            Self::Directory { path, dimensions } => super::local::open(path, *dimensions).await,
        }
    }
}
