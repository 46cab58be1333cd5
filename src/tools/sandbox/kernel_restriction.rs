//! Why the system lets commands have no namespaces of their own, as far as it says so.

use std::fs;
use std::path::Path;

/// A setting of the kernel that forbids them, and its value with which they are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KernelRestriction {
    /// The setting, as sysctl(8) calls it.
    pub setting: &'static str,
    /// What it is when it forbids them.
    pub forbids: &'static str,
    /// What it may be set to.
    pub allows: &'static str,
}

/// What forbids user namespaces to who is not root: the kernel's own limit, Debian's switch, and
/// Ubuntu's, which binds programs without an AppArmor profile.
const HINDRANCES: [KernelRestriction; 3] = [
    KernelRestriction {
        setting: "user.max_user_namespaces",
        forbids: "0",
        allows: "10000",
    },
    KernelRestriction {
        setting: "kernel.unprivileged_userns_clone",
        forbids: "0",
        allows: "1",
    },
    KernelRestriction {
        setting: "kernel.apparmor_restrict_unprivileged_userns",
        forbids: "1",
        allows: "0",
    },
];

impl KernelRestriction {
    /// Returns the first that is in the way.
    pub fn find() -> Option<Self> {
        Self::find_in(Path::new("/proc/sys"))
    }

    fn find_in(settings: &Path) -> Option<Self> {
        HINDRANCES.into_iter().find(|restriction| {
            let file = settings.join(restriction.setting.replace('.', "/"));
            fs::read_to_string(file).is_ok_and(|value| value.trim() == restriction.forbids)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::KernelRestriction;

    fn found(settings: &[(&str, &str)]) -> Option<&'static str> {
        let root = tempfile::tempdir().unwrap();
        for (setting, value) in settings {
            let file = root.path().join(setting);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, value).unwrap();
        }
        KernelRestriction::find_in(root.path()).map(|restriction| restriction.setting)
    }

    #[test]
    fn what_forbids_namespaces_is_found() {
        assert_eq!(found(&[]), None);
        let open = ("user/max_user_namespaces", "96365\n");
        let ubuntu = "kernel/apparmor_restrict_unprivileged_userns";
        assert_eq!(found(&[open, (ubuntu, "0\n")]), None);
        assert_eq!(
            found(&[open, (ubuntu, "1\n")]),
            Some("kernel.apparmor_restrict_unprivileged_userns")
        );
        assert_eq!(
            found(&[("user/max_user_namespaces", "0\n")]),
            Some("user.max_user_namespaces")
        );
    }
}
